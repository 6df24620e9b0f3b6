#include "failure/scenario.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/image/host.hpp"
#include "anycl/image/run.hpp"
#include "anycl/interop/opencl.hpp"
#include "support/folder.hpp"
#include "support/spirv_words.hpp"
#include "support/variable.hpp"
#include "support/work.hpp"

namespace anycl::test {
namespace {

using Uints = std::vector<std::uint32_t>;

constexpr std::size_t kSize = 100;

Uints ascending() {
  Uints numbers(kSize);
  for (std::size_t i = 0; i < kSize; ++i) numbers[i] = static_cast<std::uint32_t>(i);
  return numbers;
}

/// A context, a queue on its first device, and a buffer of 0, 1, 2, ...
struct Bench {
  Context context;
  Queue queue{context, context.device(0)};
  Buffer<std::uint32_t> x{context, ascending()};
};

/// Every device there is, whoever drives it.
Context whole_machine() { return Context(discover().devices()); }

/// Waits, and expects that no error comes while the work still uses memory of ours.
void wait_to_the_end(const Event& event) {
  try {
    event.wait();
  } catch (const Error&) {
    expect(event.status() != EventStatus::submitted, "wait() threw while the work went on");
    throw;
  }
}

bool advanced(const Uints& numbers, std::uint32_t factor, std::uint32_t term) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != i * factor + term) return false;
  return numbers.size() == kSize;
}

void discover_devices() {
  const Discovery found = discover();
  for (const Device& device : found.devices()) {
    expect(!device.id().empty() && !device.platform_alias().empty(), "a device without id or platform");
    static_cast<void>(device.capabilities().has_extension("cl_khr_fp64"));
  }
}

void choose() {
  const Discovery found = discover();
  const auto chosen = choose_devices(found, "*");
  expect(!chosen.empty(), "nothing chosen and no error");
  const DeviceRanking ranking = rank_devices(found, "*");
  expect(ranking.chosen.size() + ranking.left_out.size() == found.devices().size(), "a device without a rank");
}

void choose_by_condition() {
  using namespace selectors;
  const Selector usable = memory_at_least(1) || !Selector(fp64) || kind(cpu);
  expect(!choose_devices(discover(), usable).empty(), "nothing chosen and no error");
  expect(!Context(usable && platform("*")).devices().empty(), "a context without devices");
  expect(!usable.to_string().empty(), "a condition without text");
}

void open_default() {
  Context context;
  expect(!context.devices().empty() && !context.reason(0).empty(), "a context without devices or reasons");
}

/// The parts of `device`; none where it has no way to be divided.
std::vector<Device> parts_of(const Device& device) {
  const auto& ways = device.capabilities().partitioning;
  if (ways && ways->equally) return partition_equally(device, 1);
  try {
    static_cast<void>(partition_equally(device, 1));
  } catch (const Unsupported&) {
    return {};
  }
  throw WrongResult("a device that cannot be divided was");
}

/// A buffer goes from part to part and to the whole.
void divide() {
  const Device whole = choose_devices(discover(), "*").front().device;
  auto devices = parts_of(whole);
  devices.push_back(whole);
  Context context(devices);
  Buffer<std::uint32_t> x(context, ascending());
  const Work work(context);
  std::uint32_t term = 0;
  for (const Device& device : context.devices()) {
    Queue queue(context, device);
    launch_advance(queue, work, x, 1, 1);
    ++term;
  }
  expect(advanced(to_host(x), 1, term), "contents were lost between parts of a device");
}

/// What no driver at hand may be able to do.
void divide_otherwise() {
  const Device whole = choose_devices(discover(), "*").front().device;
  const auto refused = [](const auto& partition) {
    try {
      return partition().empty();
    } catch (const Unsupported&) {
      return true;
    }
  };
  const std::array counts{1u};
  const auto ways = whole.capabilities().partitioning.value_or(Partitioning{});
  expect(refused([&] { return partition_by_counts(whole, counts); }) != ways.by_counts, "a part was lost");
  expect(refused([&] { return partition_by_numa_domain(whole); }) != ways.by_numa_domain, "a domain was lost");
}

void open_selected() { expect(!Context("*").devices().empty(), "a context without devices"); }

void open_given() {
  const auto devices = discover().devices();
  expect(Context(devices).devices().size() == devices.size(), "a context without some of its devices");
}

void close_with_work() {
  Bench bench;
  const Work work(bench.context);
  const Event event = launch_advance(bench.queue, work, bench.x, 3, 1);
  bench.context.close();
  expect(event.status() != EventStatus::submitted, "work goes on in a closed context");
}

void finish_with_dropped_events() {
  Bench bench;
  const Work work(bench.context);
  launch_advance(bench.queue, work, bench.x, 3, 1);
  launch_advance(bench.queue, work, bench.x, 5, 2);
  bench.queue.flush();
  bench.queue.finish();
  expect(advanced(to_host(bench.x), 15, 7), "finish said nothing of work that failed");
}

void queue_gone_before_its_work() {
  Bench bench;
  const Work work(bench.context);
  {
    Queue other(bench.context, bench.context.device(0));
    launch_advance(other, work, bench.x, 3, 1);
  }
  expect(advanced(to_host(bench.x), 3, 1), "work of a queue that is gone was lost");
}

void wait_for_event() {
  Bench bench;
  const Work work(bench.context);
  const Event event = launch_advance(bench.queue, work, bench.x, 3, 1);
  wait_to_the_end(event);
  expect(event.status() == EventStatus::complete, "wait() returned before the end");
  expect(advanced(to_host(bench.x), 3, 1), "wait() said nothing of work that failed");
}

void ask_event() {
  Bench bench;
  const Work work(bench.context);
  const Event event = launch_advance(bench.queue, work, bench.x, 3, 1);
  while (event.status() == EventStatus::submitted && !event.wait_for(std::chrono::milliseconds(10))) continue;
  if (event.status() == EventStatus::failed) event.wait();
  expect(event.status() == EventStatus::complete, "work that neither ends nor fails");
  expect(advanced(to_host(bench.x), 3, 1), "work that failed was called complete");
}

void profile() {
  Context context;
  Queue queue(context, context.device(0), {.profiling = true});
  Buffer<std::uint32_t> x(context, ascending());
  const Work work(context);
  static_cast<void>(launch_advance(queue, work, x, 3, 1).duration_ns());
  expect(advanced(to_host(x), 3, 1), "a profiled launch was lost");
}

void events_across_queues() {
  Bench bench;
  Queue second(bench.context, bench.context.device(0));
  Buffer<std::uint32_t> y(bench.context, ascending());
  const Work work(bench.context);
  launch_advance(bench.queue, work, bench.x, 3, 1);
  launch_combine(second, work, bench.x, y, 2).wait();
  expect(advanced(to_host(y), 5, 1), "a launch ran without waiting for another queue");
}

void build_and_launch() {
  Bench bench;
  const Work work(bench.context);
  launch_advance(bench.queue, work, bench.x, 3, 1);
  launch_advance(bench.queue, work, bench.x, 1, 1);
  expect(advanced(to_host(bench.x), 3, 2), "a launch was lost");
}

void build_with_options() {
  Bench bench;
  BuildOptions options;
  options.define("TERM", 1)
      .define("BASE", -1)
      .define("RATIO", 0.5)
      .define("SCALE", 1.5f)
      .define("WIDE", std::uint64_t{1} << 40)
      .define("NAME", "x")
      .define("T", type<std::uint32_t>)
      .set(BuildFlag::mad_enable)
      .warnings(Warnings::off)
      .language({1, 2});
  const Kernel kernel(bench.queue, kWorkSource, "advance", options);
  launch(bench.queue, kernel, kSize, bench.x, 3, 1, kSize);
  expect(advanced(to_host(bench.x), 3, 1), "a launch with build options was lost");
}

void prepare_and_launch() {
  Bench bench;
  const Work work(bench.context);
  const Preparation preparation = work.advance.prepare();
  static_cast<void>(preparation.is_done());
  preparation.wait();
  expect(preparation.is_done() && preparation.wait_for(std::chrono::seconds(1)), "what is prepared is not done");
  launch_advance(bench.queue, work, bench.x, 3, 1);
  expect(advanced(to_host(bench.x), 3, 1), "a launch of a prepared kernel was lost");
}

void ask_kernel() {
  Bench bench;
  const Work work(bench.context);
  const KernelInfo info = work.advance.info(bench.context.device(0));
  expect(info.parameter_count == 4 && !info.signature().empty(), "a kernel tells less than it has");
  for (const ParameterInfo& parameter : info.parameters)  // none where a driver's answer about one was lost
    expect(to_string(parameter.space).empty() == (parameter.space == ParameterInfo::Space::value),
           "a space has no word");
  expect(kSize % work.advance.suggested_local_size(bench.context.device(0), {kSize})[0] == 0, "a group does not fit");
}

/// A driver may refuse to tell names or give no binary, and say so.
void ask_program() {
  Bench bench;
  const Device& device = bench.context.device(0);
  const Program program(bench.context, kWorkSource);
  program.prepare().wait();
  const auto names = program.kernel_names(device);
  expect(std::find(names.begin(), names.end(), "advance") != names.end(), "a program lacks a kernel");
  static_cast<void>(program.messages(device));
  expect(!program.binary(device).empty(), "an empty binary and no error");
  launch(bench.queue, program.kernel("advance"), kSize, bench.x, 3, 1, kSize);
  expect(advanced(to_host(bench.x), 3, 1), "a launch of a program's kernel was lost");
}

void warm_kernels() {
  Bench bench;
  const Kernel kernels[] = {{bench.context, kWorkSource, "advance"}};
  std::size_t done = 0;
  warm(kernels, [&](const WarmProgress& progress) { done = progress.done; });
  expect(done == 1, "a kernel was warmed and not told of");
}

/// The source is a file, and so is what it includes; then text that includes the same.
void build_from_files() {
  const Folder folder;
  write_file(folder.file("main.cl"), "#include \"part/work.clh\"\n");
  std::filesystem::create_directory(folder.file("part"));
  write_file(folder.file("part/work.clh"), kWorkSource);
  Bench bench;
  const Source text("#include \"work.clh\"\n", "text.cl", {folder.file("part")});
  for (const Source& source : {Source::from_file(folder.file("main.cl")), text}) {
    const Kernel kernel(bench.context, source, "advance");
    launch(bench.queue, kernel, kSize, bench.x, 1, 1, kSize);
  }
  expect(advanced(to_host(bench.x), 1, 2), "a launch of a kernel from a file was lost");
}

void specialise() {
  Bench bench;
  const BuildOptions options{{"UNUSED", 1}};
  const Kernel kernel(bench.queue, kWorkSource, "advance", options);
  const std::vector<Definition> further{{"UNUSED", 2}};
  launch(bench.queue, kernel.specialise({{"ALSO", 3}}), kSize, bench.x, 3, 1, kSize);
  launch(bench.queue, kernel.specialise(further), kSize, bench.x, 1, 1, kSize);
  expect(advanced(to_host(bench.x), 3, 2), "a launch of a variant was lost");
}

/// What a driver may not take.
struct Advance {
  std::uint32_t factor;
  std::uint32_t term;
};
ANYCL_DESCRIBE(Advance, factor, term);

/// The device is asked for the struct's layout first.
void pass_struct() {
  Bench bench;
  if (bench.context.device(0).platform_alias() == "stub")
    return;  // knows a few kernels by name, and none with a struct
  const Kernel kernel(bench.queue,
                      "typedef struct { uint factor; uint term; } advance_t;\n"
                      "kernel void advance_by(global uint* x, advance_t by) {\n"
                      "  x[get_global_id(0)] = x[get_global_id(0)] * by.factor + by.term;\n}\n",
                      "advance_by");
  launch(bench.queue, kernel, kSize, bench.x, Advance{3, 1});
  launch(bench.queue, kernel, kSize, bench.x, Advance{1, 1});
  expect(advanced(to_host(bench.x), 3, 2), "a launch with a struct was lost");
}

void build_module() {
  Bench bench;
  const auto words = scale_module();
  const Kernel kernel(bench.queue, Source::from_spirv(std::as_bytes(std::span(words))), "scale");
  const bool takes = !bench.context.device(0).capabilities().intermediate_languages.empty();
  try {
    launch(bench.queue, kernel, kSize, bench.x, 3);
  } catch (const Unsupported&) {
    if (takes) throw;
    return;
  }
  expect(takes, "a module was built by a driver that takes none");
  expect(advanced(to_host(bench.x), 3, 0), "a launch of a module was lost");
}

void build_that_fails() {
  Bench bench;
  const Kernel kernel(bench.context, "#error no\nkernel void k(global uint* x) {}", "k");
  try {
    launch(bench.queue, kernel, kSize, bench.x);
  } catch (const BuildError& error) {
    if (error.log().empty()) throw;  // it failed for another reason, before the compiler had seen the source
    return;
  }
  throw WrongResult("a build that must fail did not");
}

void launch_nothing() {
  Bench bench;
  const Work work(bench.context);
  launch_advance(bench.queue, work, bench.x, 3, 1);
  launch(bench.queue, work.advance, 0, bench.x, 3, 1, 0).wait();
  expect(advanced(to_host(bench.x), 3, 1), "an empty launch ended before the work ahead of it");
}

void launch_in_groups() {
  Bench bench;
  const Work work(bench.context);
  launch(bench.queue, work.advance, Range(kSize, {1}), bench.x, 3, 1, kSize);
  launch(bench.queue, work.advance, Range(kSize, {1}).padded(), bench.x, 1, 1, kSize);
  expect(advanced(to_host(bench.x), 3, 2), "a launch in groups was lost");
}

void cache_statistics() {
  Bench bench;
  const Work work(bench.context);
  launch_advance(bench.queue, work, bench.x, 3, 1);
  flush_kernel_cache(bench.context);
  const auto statistics = kernel_cache_statistics(bench.context);
  expect(statistics.built + statistics.from_disk == 1, "one program was not counted as one");
  expect(advanced(to_host(bench.x), 3, 1), "a launch was lost");
}

/// The folder is that of other tests, too: nothing of theirs goes.
void look_after_cache() {
  cache_statistics();
  const StoredPrograms stored = stored_programs();
  std::uint64_t bytes = 0;
  for (const StoredProgram& program : stored.programs) bytes += program.bytes;
  expect(!stored.folder.empty() && bytes <= stored.bytes, "programs take more than all files together");
  remove_damaged_programs();
  for (const TriedDriver& driver : tried_drivers(discover().loader))
    expect(!driver.library.empty(), "a driver without a library was tried");
  forget_tried_drivers();  // tests try none, unless in a folder of their own
  expect(prune_stored_programs(~std::uint64_t{0}).count == 0, "pruning without a limit removed something");
}

void export_cache() {
  const test::Folder folder;
  const test::Variable place("ANYCL_CACHE_DIR", folder.file("own"));
  cache_statistics();
  expect(export_stored_programs(folder.file("all")) == stored_programs().programs.size(), "a program was not copied");
}

void make_buffers() {
  Context context;
  Queue queue(context, context.device(0));
  const Buffer<std::uint32_t> from_host(context, ascending());
  Buffer<std::uint32_t> empty(context, 0), fresh(context, kSize), of_queue(queue, kSize);
  copy(queue, from_host, fresh);
  copy(queue, fresh, of_queue);
  expect(to_host(empty).empty() && to_host(of_queue) == ascending(), "a buffer lost its contents");
}

void write_host_memory() {
  Bench bench;
  const Uints host(10, 7);
  wait_to_the_end(write(bench.queue, bench.x, host, 20));
  write(bench.queue, bench.x, Uints(10, 8), 30);
  Uints wanted = ascending();
  std::fill_n(wanted.begin() + 20, 10, 7u);
  std::fill_n(wanted.begin() + 30, 10, 8u);
  expect(to_host(bench.x) == wanted, "a write was lost");
}

void read_into_host_memory() {
  Bench bench;
  Uints host(10);
  wait_to_the_end(read(bench.queue, bench.x, host, 20));
  expect(host == Uints({20, 21, 22, 23, 24, 25, 26, 27, 28, 29}), "a read gave something else");
}

void copy_parts() {
  Bench bench;
  Buffer<std::uint32_t> y(bench.context, Uints(kSize, 0));
  copy(bench.queue, bench.x, 10, y, 0, 3);
  copy(bench.queue, bench.x, 0, bench.x, 50, 3);
  Uints wanted(kSize, 0);
  std::copy_n(ascending().begin() + 10, 3, wanted.begin());
  expect(to_host(y) == wanted && to_host(bench.x)[52] == 2, "a copy was lost");
}

void fill_patterns() {
  Bench bench;
  Buffer<std::array<std::uint8_t, 3>> odd(bench.context, kSize);
  fill(bench.queue, bench.x, 9u, 0, 10);
  fill(bench.queue, odd, {1, 2, 3});
  Uints wanted = ascending();
  std::fill_n(wanted.begin(), 10, 9u);
  const std::array<std::uint8_t, 3> pattern{1, 2, 3};
  const auto got = to_host(odd);
  expect(to_host(bench.x) == wanted, "a fill was lost");
  expect(std::count(got.begin(), got.end(), pattern) == kSize, "a fill of three bytes was lost");
}

void buffer_gone_before_its_work() {
  Bench bench;
  const Work work(bench.context);
  {
    Buffer<std::uint32_t> y(bench.context, ascending());
    launch_combine(bench.queue, work, y, bench.x, 2);
  }
  expect(advanced(to_host(bench.x), 3, 0), "work on a buffer that is gone was lost");
}

/// Contents follow from device to device, on some machines through the host.
void move_between_devices() {
  Context context = whole_machine();
  Buffer<std::uint32_t> x(context, ascending());
  const Work work(context);
  std::uint32_t factor = 1, term = 0;
  for (int round = 0; round < 2; ++round)
    for (const Device& device : context.devices()) {
      Queue queue(context, device);
      launch_advance(queue, work, x, 3, 1);
      factor *= 3;
      term = term * 3 + 1;
    }
  expect(advanced(to_host(x), factor, term), "contents were lost between devices");
}

void ask_for_native_handles() {
  Bench bench;
  const Event event = fill(bench.queue, bench.x, 1u);
  const Device& device = bench.context.device(0);
  expect(interop::native_context(bench.context, device) != nullptr, "no native context");
  expect(interop::native_device(device) != nullptr && interop::native_platform(device) != nullptr, "no native device");
  expect(interop::native_queue(bench.queue) != nullptr && interop::native_event(event) != nullptr, "no native queue");
}

/// Filters of the device against those of the host.
void run_filters() {
  Context context;
  Queue queue(context, context.device(0));
  image::Picture picture{7, 5, 3, std::vector<std::uint8_t>(7 * 5 * 3)};
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = static_cast<std::uint8_t>(i * 37);
  const auto pipeline = image::Pipeline::parse("median(1)|sobel|equalize|gaussian(1)");
  const image::Picture wanted = image::apply_on_host(pipeline, picture);
  image::run(queue, pipeline, picture);
  // The gaussian is off by one now and then.
  bool close = picture.pixels.size() == wanted.pixels.size();
  for (std::size_t i = 0; close && i < wanted.pixels.size(); ++i)
    close = std::abs(int{picture.pixels[i]} - int{wanted.pixels[i]}) <= 1;
  expect(close, "filters gave another picture");
}

void render() {
  Context context;
  Queue queue(context, context.device(0));
  const image::Picture picture = image::render_scene(queue, 16, 9);
  const auto darkest = std::min_element(picture.pixels.begin(), picture.pixels.end());
  expect(picture.pixels.size() == 16 * 9 * 3 && *darkest != picture.pixels[0], "an empty scene");
}

}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{
      {"discover",
       {"anycl::discover", "anycl::Device::", "anycl::Discovery::", "anycl::Capabilities::"},
       discover_devices},
      {"choose", {"anycl::choose_devices", "anycl::rank_devices"}, choose},
      {"choose by condition",
       {"anycl::Selector::", "anycl::operator&&", "anycl::operator||", "anycl::operator!",
        "anycl::selectors::", "anycl::Context::Context(anycl::Selector"},
       choose_by_condition},
      {"divide", {"anycl::partition_equally", "anycl::Device::parent"}, divide},
      {"divide otherwise", {"anycl::partition_by_"}, divide_otherwise},
      {"open default", {"anycl::Context::Context()", "anycl::Context::device", "anycl::Context::reason"}, open_default},
      {"open selected", {"anycl::Context::Context(std::basic_string_view"}, open_selected},
      {"open given", {"anycl::Context::Context(std::span"}, open_given, false, "nvidia-rtx-3090,amd-rx-7900-xtx"},
      {"close", {"anycl::Context::close", "anycl::Context::~Context"}, close_with_work},
      {"finish",
       {"anycl::Queue::Queue", "anycl::Queue::flush", "anycl::Queue::finish"},
       finish_with_dropped_events,
       false,
       {},
       "clFlush"},
      {"queue gone", {"anycl::Queue::~Queue"}, queue_gone_before_its_work},
      {"wait", {"anycl::Event::wait()", "anycl::Event::retain", "anycl::Event::release"}, wait_for_event},
      {"ask event", {"anycl::Event::status", "anycl::Event::wait_for"}, ask_event},
      {"profile", {"anycl::Event::duration_ns"}, profile},
      {"two queues", {"anycl::detail::launch_bound"}, events_across_queues},
      {"build", {"anycl::Kernel::Kernel(anycl::Context"}, build_and_launch},
      {"build with options", {"anycl::Kernel::Kernel(anycl::Queue", "anycl::BuildOptions::"}, build_with_options},
      {"prepare", {"anycl::Kernel::prepare", "anycl::Preparation::"}, prepare_and_launch},
      {"ask kernel",
       {"anycl::Kernel::info", "anycl::Kernel::suggested_local_size",
        "anycl::KernelInfo::", "anycl::to_string(anycl::ParameterInfo"},
       ask_kernel},
      {"ask program", {"anycl::Program::"}, ask_program},
      {"warm", {"anycl::warm("}, warm_kernels},
      {"build from files", {"anycl::Source::from_file"}, build_from_files},
      {"specialise", {"anycl::Kernel::specialise", "anycl::Definition::"}, specialise},
      {"build module", {"anycl::Source::from_spirv"}, build_module},
      {"build that fails", {}, build_that_fails},
      {"struct by value", {}, pass_struct},
      {"launch nothing", {}, launch_nothing},
      {"launch in groups", {}, launch_in_groups},
      {"cache statistics", {"anycl::flush_kernel_cache", "anycl::kernel_cache_statistics"}, cache_statistics},
      {"stored programs",
       {"anycl::stored_programs", "anycl::kernel_cache_folder", "anycl::remove_damaged_programs",
        "anycl::prune_stored_programs", "anycl::forget_tried_drivers", "anycl::tried_drivers"},
       look_after_cache},
      {"exported programs", {"anycl::export_stored_programs"}, export_cache},
      {"buffers", {"anycl::detail::make_storage", "anycl::detail::read_bytes_now"}, make_buffers},
      {"write", {"anycl::detail::write_bytes"}, write_host_memory},
      {"read", {"anycl::detail::read_bytes("}, read_into_host_memory},
      {"copy", {"anycl::detail::copy_bytes"}, copy_parts},
      {"fill", {"anycl::detail::fill_bytes"}, fill_patterns},
      {"buffer gone", {"anycl::detail::Resource::~Resource"}, buffer_gone_before_its_work},
      {"move between devices", {}, move_between_devices, false, "nvidia-rtx-3090,amd-rx-7900-xtx"},
      {"native handles", {"anycl::interop::"}, ask_for_native_handles},
      {"filters", {"anycl::image::run"}, run_filters, true},
      {"scene", {"anycl::image::render_scene"}, render, true},
  };
  return all;
}

const std::vector<std::string_view>& operations_without_calls() {
  static const std::vector<std::string_view> all{
      "anycl::Context::Context(anycl::Context&&)",
      "anycl::Context::operator=",
      "anycl::Context::devices",
      "anycl::Kernel::name",
      "anycl::Queue::Queue(anycl::Queue&&)",
      "anycl::Queue::operator=",
      "anycl::Queue::device",
      "anycl::Source::Source",
      "anycl::describe_code",
      "anycl::detail::check_elements",         // compares numbers
      "anycl::detail::throw_negative_extent",  // throws
      "anycl::operator==",
      "anycl::set_log_level",
      "anycl::set_log_sink",
      "anycl::to_string",
      "anycl::version",
      "anycl::image::Pipeline::parse",
      "anycl::image::allowed",
      "anycl::image::apply_on_host",
      "anycl::image::difference",
      "anycl::image::filters",
      "anycl::image::find_filter",
      "anycl::image::to_string",
      "anycl::image::usage",
  };
  return all;
}

}  // namespace anycl::test
