#include "rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <random>

#include "rule_text.hpp"

namespace anycl::test_layer {
namespace {

using Word = RuleText::Word;

// ----------------------------------------------------------------------------------- which calls

double chance_in(RuleText& rule) {
  const auto chance = rule.take("chance");
  if (!chance) return 1;
  const auto value = rule.as_number<double>(*chance);
  if (!(value >= 0 && value <= 1)) rule.refuse(*chance, "is not between 0 and 1");
  return value;
}

std::uint64_t positive_in(RuleText& rule, std::string_view key, std::uint64_t otherwise) {
  const auto value = rule.take(key);
  if (!value) return otherwise;
  const auto number = rule.as_number<std::uint64_t>(*value);
  if (number == 0) rule.refuse(*value, "is 0; calls are numbered from 1");
  return number;
}

std::uint64_t count_in(RuleText& rule, std::uint64_t otherwise) {
  const auto value = rule.take("count");
  if (!value) return otherwise;
  return value->text == "all" ? Pick::kAll : rule.as_number<std::uint64_t>(*value);
}

Pick pick_in(RuleText& rule) {
  const bool has_at = rule.take("at").has_value();
  const int ways = int{has_at} + int{rule.take("every").has_value()} + int{rule.take("chance").has_value()};
  if (ways > 1) rule.refuse(rule.verb(), "takes one of at=, every=, chance=");
  Pick pick;
  pick.at = positive_in(rule, "at", 1);
  pick.count = count_in(rule, has_at ? 1 : Pick::kAll);
  pick.every = positive_in(rule, "every", 1);
  pick.chance = chance_in(rule);
  pick.seed = rule.number<std::uint64_t>("seed", 0);
  return pick;
}

EntrySet entries_in(const RuleText& rule, const Word& glob) {
  const EntrySet entries = entries_matching(glob.text);
  if (entries.none()) rule.refuse(glob, "matches no OpenCL function that the layer wraps");
  return entries;
}

// ------------------------------------------------------------------------------------------ fail

/// clGetDeviceInfo:CL_DEVICE_NAME, or a glob over entries.
void read_subject(FailRule& fail, const RuleText& rule, const Word& subject) {
  const std::size_t colon = subject.text.find(':');
  const Word glob{subject.text.substr(0, colon), subject.column};
  fail.entries = entries_in(rule, glob);
  if (colon == std::string_view::npos) return;

  const Word name{subject.text.substr(colon + 1), subject.column + colon + 1};
  const InfoParam* param = find_info_param(name.text);
  if (param == nullptr) rule.refuse(name, "is no query that the layer knows");
  if (!fail.entries[static_cast<std::size_t>(param->entry)])
    rule.refuse(name, std::string("is asked with ") + name_of(param->entry));
  fail.param = param->value;
}

FailRule fail_rule(RuleText& rule) {
  FailRule fail;
  read_subject(fail, rule, rule.subject("the name of an OpenCL function"));
  fail.pick = pick_in(rule);
  fail.code = rule.number<cl_int>("code");
  return fail;
}

LostRule lost_rule(RuleText& rule) {
  LostRule lost;
  lost.after = rule.number<std::uint64_t>("after", 0);
  lost.until = rule.number<std::uint64_t>("until", Pick::kAll);
  lost.code = rule.number<cl_int>("code");
  return lost;
}

// ---------------------------------------------------------------------------------------- answer

/// %41 stands for the byte 0x41: blanks and semicolons end words and rules.
std::string decoded(const RuleText& rule, const Word& word) {
  std::string text;
  for (std::size_t i = 0; i < word.text.size(); ++i) {
    if (word.text[i] != '%') {
      text.push_back(word.text[i]);
      continue;
    }
    unsigned byte = 0;
    const char* digits = word.text.data() + i + 1;
    const bool fits = word.text.size() - i > 2;
    if (!fits || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
      rule.refuse(word, "has a % that is not followed by two hexadecimal digits");
    text.push_back(static_cast<char>(byte));
    i += 2;
  }
  return text;
}

/// Any 64 bits: a negative number gives the bits of its two's complement.
std::uint64_t bits_in(const RuleText& rule, const Word& word) {
  if (word.text.starts_with('-')) return static_cast<std::uint64_t>(rule.as_number<std::int64_t>(word));
  return rule.as_number<std::uint64_t>(word);
}

std::vector<std::uint64_t> numbers_in(const RuleText& rule, const Word& list) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& part : split_list(list.text)) numbers.push_back(bits_in(rule, {part, list.column}));
  return numbers;
}

using Change = AnswerRule::Change;

struct ChangeWord {
  const char* key;
  Change change;
};

constexpr ChangeWord kChangeWords[] = {
    {"text", Change::text}, {"long", Change::text},     {"trailing-nuls", Change::trailing_nuls},
    {"list", Change::list}, {"number", Change::number}, {"without", Change::without},
    {"with", Change::with}, {"error", Change::error},
};

/// Whether answers of that kind can be changed so.
bool suits(Change change, InfoKind kind) {
  switch (change) {
    case Change::text:
    case Change::trailing_nuls:
      return kind == InfoKind::text;
    case Change::number:
      return kind == InfoKind::boolean || kind == InfoKind::uint32 || kind == InfoKind::uint64 ||
             kind == InfoKind::size;
    case Change::list:
      return kind == InfoKind::sizes;
    case Change::without:
    case Change::with:
      return kind == InfoKind::text || kind == InfoKind::name_versions;
    case Change::error:
      return true;
  }
  return false;
}

void read_change(AnswerRule& answer, const RuleText& rule, std::string_view key, const Word& value) {
  if (key == "text")
    answer.text = decoded(rule, value);
  else if (key == "long")
    answer.text.assign(rule.as_number<std::size_t>(value), 'x');
  else if (key == "number" || key == "trailing-nuls" || key == "error")
    answer.numbers = {bits_in(rule, value)};
  else if (key == "list")
    answer.numbers = numbers_in(rule, value);
  else
    answer.names = split_list(value.text);
}

/// The one change that the rule asks for.
void read_changes(AnswerRule& answer, RuleText& rule) {
  int changes = 0;
  for (const ChangeWord& word : kChangeWords) {
    const auto value = rule.take(word.key);
    if (!value) continue;
    ++changes;
    if (!suits(word.change, answer.param.kind))
      rule.refuse(*value, std::string("does not suit: ") + answer.param.name + " has another type");
    answer.change = word.change;
    read_change(answer, rule, word.key, *value);
  }
  if (changes != 1)
    rule.refuse(rule.verb(), "takes one of text=, long=, trailing-nuls=, number=, list=, without=, with=, error=");
}

bool asks_a_device(Entry entry) {
  return entry == Entry::clGetDeviceInfo || entry == Entry::clGetProgramBuildInfo ||
         entry == Entry::clGetKernelWorkGroupInfo;
}

/// `device=GLOB`
std::string device_in(RuleText& rule) {
  const auto device = rule.take("device");
  return device ? decoded(rule, *device) : std::string();
}

AnswerRule answer_rule(RuleText& rule, const Word& subject) {
  const InfoParam* param = find_info_param(subject.text);
  if (param == nullptr) rule.refuse(subject, "is no query that the layer knows");
  AnswerRule answer{*param, device_in(rule), Change::error, {}, {}, {}};
  if (!answer.device.empty() && !asks_a_device(param->entry)) rule.refuse(subject, "is not asked of a device");
  read_changes(answer, rule);
  return answer;
}

/// What a device that lacks a feature says, in the words of `answer`.
struct Absence {
  const char* feature;
  std::vector<const char*> refused;  ///< queries that it does not know
  std::vector<const char*> zero;
  std::string extensions;
};

const std::vector<Absence>& absences() {
  static const std::vector<Absence> all{
      {"fp64",
       {},
       {"CL_DEVICE_DOUBLE_FP_CONFIG", "CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE",
        "CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE"},
       "cl_khr_fp64"},
      {"fp16",
       {},
       {"CL_DEVICE_HALF_FP_CONFIG", "CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF", "CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF"},
       "cl_khr_fp16"},
      {"pci",
       {"CL_DEVICE_PCI_BUS_INFO_KHR", "CL_DEVICE_PCI_BUS_ID_NV", "CL_DEVICE_PCI_SLOT_ID_NV",
        "CL_DEVICE_PCI_DOMAIN_ID_NV", "CL_DEVICE_TOPOLOGY_AMD"},
       {},
       "cl_khr_pci_bus_info,cl_nv_device_attribute_query,cl_amd_device_attribute_query"},
      {"uuid",
       {"CL_DEVICE_UUID_KHR", "CL_DRIVER_UUID_KHR", "CL_DEVICE_LUID_VALID_KHR", "CL_DEVICE_LUID_KHR",
        "CL_DEVICE_NODE_MASK_KHR"},
       {},
       "cl_khr_device_uuid"},
  };
  return all;
}

std::vector<AnswerRule> rules_of(const Absence& absence, const std::string& device) {
  std::vector<AnswerRule> rules;
  const auto add = [&](const char* name, Change change, std::vector<std::uint64_t> numbers,
                       std::vector<std::string> names) {
    rules.push_back({*find_info_param(name), device, change, {}, std::move(numbers), std::move(names)});
  };
  for (const char* name : absence.refused) add(name, Change::error, {static_cast<std::uint64_t>(CL_INVALID_VALUE)}, {});
  for (const char* name : absence.zero) add(name, Change::number, {0}, {});
  for (const char* name : {"CL_DEVICE_EXTENSIONS", "CL_DEVICE_EXTENSIONS_WITH_VERSION"})
    add(name, Change::without, {}, split_list(absence.extensions));
  return rules;
}

void add_absence(Rules& rules, RuleText& rule) {
  for (const Absence& absence : absences()) {
    const auto value = rule.take(absence.feature);
    if (!value) continue;
    if (value->text != "absent") rule.refuse(*value, "should be 'absent'");
    const auto added = rules_of(absence, device_in(rule));
    rules.answer.insert(rules.answer.end(), added.begin(), added.end());
    return;
  }
  rule.refuse(rule.verb(), "needs the name of a query, formats, or one of fp64=, fp16=, pci=, uuid= after it");
}

struct ChannelOrder {
  const char* name;
  cl_channel_order value;
};

constexpr ChannelOrder kChannelOrders[] = {
    {"R", CL_R},
    {"A", CL_A},
    {"RG", CL_RG},
    {"RA", CL_RA},
    {"RGB", CL_RGB},
    {"RGBA", CL_RGBA},
    {"BGRA", CL_BGRA},
    {"ARGB", CL_ARGB},
    {"ABGR", CL_ABGR},
    {"INTENSITY", CL_INTENSITY},
    {"LUMINANCE", CL_LUMINANCE},
    {"DEPTH", CL_DEPTH},
    {"sRGBA", CL_sRGBA},
};

std::vector<cl_channel_order> formats_in(RuleText& rule) {
  const auto list = rule.take("list");
  if (!list) rule.refuse(rule.verb(), "formats needs list=R,RGBA,... or list=none");
  std::vector<cl_channel_order> orders;
  if (list->text == "none") return orders;
  for (const std::string& name : split_list(list->text)) {
    const auto* found = std::find_if(std::begin(kChannelOrders), std::end(kChannelOrders),
                                     [&](const ChannelOrder& order) { return order.name == name; });
    if (found == std::end(kChannelOrders)) rule.refuse(*list, "names a channel order that the layer does not know");
    orders.push_back(found->value);
  }
  return orders;
}

void add_answer(Rules& rules, RuleText& rule) {
  const auto subject = rule.optional_subject();
  if (!subject)
    add_absence(rules, rule);
  else if (subject->text == "formats")
    rules.formats = formats_in(rule);
  else
    rules.answer.push_back(answer_rule(rule, *subject));
}

// ------------------------------------------------------------------------------------ the others

cl_uint split_in(RuleText& rule) {
  const auto parts = rule.number<cl_uint>("devices");
  if (parts < 2) rule.refuse(rule.verb(), "needs devices=2 or more");
  return parts;
}

bool hold_in(RuleText& rule) {
  const auto until = rule.take("until");
  if (!until || until->text != "flush") rule.refuse(rule.verb(), "needs until=flush");
  return true;
}

CorruptRule corrupt_rule(RuleText& rule) {
  const Word subject = rule.subject("clEnqueueReadBuffer");
  if (subject.text != "clEnqueueReadBuffer") rule.refuse(subject, "cannot be corrupted, only clEnqueueReadBuffer can");
  return {pick_in(rule), rule.number<std::size_t>("byte", 0)};
}

Clock clock_in(const RuleText& rule) {
  struct Name {
    const char* name;
    Clock clock;
  };
  constexpr Name names[] = {
      {"reversed", Clock::reversed}, {"zero", Clock::zero}, {"tick", Clock::tick}, {"untouched", Clock::untouched}};
  const Word subject = rule.subject("reversed, zero, tick or untouched");
  for (const Name& name : names)
    if (subject.text == name.name) return name.clock;
  rule.refuse(subject, "is no clock; there are reversed, zero, tick, untouched");
}

HandleSet types_in(RuleText& rule) {
  HandleSet types;
  const auto allow = rule.take("allow");
  if (!allow) return types;
  for (const std::string& name : split_list(allow->text)) {
    const auto* found = std::find(kHandleTypeNames.begin(), kHandleTypeNames.end(), name);
    if (found == kHandleTypeNames.end())
      rule.refuse(*allow,
                  "names no type of handle; there are sub-devices, contexts, queues, buffers, samplers, programs, "
                  "kernels, events");
    types.set(static_cast<std::size_t>(found - kHandleTypeNames.begin()));
  }
  return types;
}

// ----------------------------------------------------------------------------------------- verbs

using ReadRule = void (*)(Rules&, RuleText&);

struct Verb {
  const char* name;
  bool has_subject;
  ReadRule read;
};

constexpr Verb kVerbs[] = {
    {"fail", true, [](Rules& rules, RuleText& rule) { rules.fail.push_back(fail_rule(rule)); }},
    {"lost", false, [](Rules& rules, RuleText& rule) { rules.lost.push_back(lost_rule(rule)); }},
    {"answer", true, &add_answer},
    {"split", false, [](Rules& rules, RuleText& rule) { rules.split = split_in(rule); }},
    {"hold", false, [](Rules& rules, RuleText& rule) { rules.hold = hold_in(rule); }},
    {"delay", false,
     [](Rules& rules, RuleText& rule) {
       rules.delay = {rule.number<std::uint64_t>("ms"), pick_in(rule)};
     }},
    {"reorder", false, [](Rules& rules, RuleText& rule) { rules.reorder = rule.number<std::uint64_t>("seed"); }},
    {"corrupt", true, [](Rules& rules, RuleText& rule) { rules.corrupt.push_back(corrupt_rule(rule)); }},
    {"clock", true, [](Rules& rules, RuleText& rule) { rules.clock = clock_in(rule); }},
    {"handles", false,
     [](Rules& rules, RuleText& rule) {
       rules.handles = true;
       rules.handles_may_remain = types_in(rule);
     }},
    {"late", false, [](Rules& rules, RuleText&) { rules.late = true; }},
};

void add_rule(Rules& rules, RuleText& rule) {
  const auto* verb = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                  [&](const Verb& known) { return known.name == rule.verb().text; });
  if (verb == std::end(kVerbs))
    rule.refuse(rule.verb(),
                "is no verb; there are fail, lost, answer, split, hold, delay, reorder, corrupt, clock, "
                "handles, late");
  if (const auto subject = rule.optional_subject(); subject && !verb->has_subject)
    rule.refuse(*subject, "should be KEY=VALUE");
  verb->read(rules, rule);
  rule.expect_all_taken();
}

/// Even in [0, 1), and a function of its arguments alone.
double draw(std::uint64_t seed, std::uint64_t number) {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  std::seed_seq sequence{low(seed), low(seed >> 32), low(number), low(number >> 32)};
  std::mt19937 engine(sequence);
  return std::uniform_real_distribution<double>()(engine);
}

}  // namespace

bool Pick::takes(std::uint64_t number) const {
  if (number < at || number - at >= count || number % every != 0) return false;
  return chance >= 1 || draw(seed, number) < chance;
}

Rules parse_rules(std::string_view text) {
  Rules rules;
  std::size_t column = 1, number = 0;
  while (column <= text.size()) {
    const std::string_view rest = text.substr(column - 1);
    const std::string_view one = rest.substr(0, rest.find(';'));
    RuleText rule(one, ++number, column);
    if (!rule.empty()) add_rule(rules, rule);
    column += one.size() + 1;
  }
  return rules;
}

}  // namespace anycl::test_layer
