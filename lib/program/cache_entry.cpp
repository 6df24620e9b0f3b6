#include "program/cache_entry.hpp"

#include <algorithm>

#include "base/byte_stream.hpp"

namespace anycl::detail {
namespace {

constexpr std::string_view kMagic = "anycl cache entry 4\n";

void write_signature(ByteWriter& writer, const Signature& signature) {
  writer.number(signature.described ? 1 : 0);
  writer.number(signature.parameters.size());
  for (const Parameter& parameter : signature.parameters) {
    writer.text(parameter.name);
    writer.text(parameter.type);
    writer.number(static_cast<std::uint64_t>(parameter.space));
    writer.number(parameter.is_const ? 1 : 0);
  }
}

Signature read_stored_signature(ByteReader& reader) {
  Signature signature;
  signature.described = reader.number() != 0;
  const std::uint64_t count = reader.number();
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    Parameter parameter;
    parameter.name = reader.text();
    parameter.type = reader.text();
    parameter.space = static_cast<Parameter::Space>(std::min<std::uint64_t>(reader.number(), 4));
    parameter.is_const = reader.number() != 0;
    parameter.resolve_type();
    signature.parameters.push_back(std::move(parameter));
  }
  return signature;
}

void write_facts(ByteWriter& writer, const KernelFacts& facts) {
  write_signature(writer, facts.signature);
  for (const std::uint64_t number :
       {std::uint64_t{facts.max_group_size}, std::uint64_t{facts.preferred_multiple}, facts.local_memory_bytes})
    writer.number(number);
  writer.number(facts.private_memory_bytes ? 1 : 0);
  writer.number(facts.private_memory_bytes.value_or(0));
  for (const std::size_t size : facts.required_group.value_or(std::array<std::size_t, 3>{})) writer.number(size);
}

KernelFacts read_stored_facts(ByteReader& reader) {
  KernelFacts facts{read_stored_signature(reader)};
  facts.max_group_size = reader.number();
  facts.preferred_multiple = reader.number();
  facts.local_memory_bytes = reader.number();
  const bool has_private = reader.number() != 0;
  const std::uint64_t private_bytes = reader.number();
  if (has_private) facts.private_memory_bytes = private_bytes;
  std::array<std::size_t, 3> group{};
  for (std::size_t& size : group) size = reader.number();
  if (group[0] != 0) facts.required_group = group;
  return facts;
}

void write_messages(ByteWriter& writer, const std::vector<BuildMessage>& messages) {
  writer.number(messages.size());
  for (const BuildMessage& message : messages) {
    writer.number(static_cast<std::uint64_t>(message.severity));
    writer.text(message.file);
    writer.number(message.line);
    writer.number(message.column);
    writer.text(message.text);
  }
}

std::vector<BuildMessage> read_stored_messages(ByteReader& reader) {
  std::vector<BuildMessage> messages;
  const std::uint64_t count = reader.number();
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    BuildMessage message;
    message.severity = static_cast<BuildMessage::Severity>(std::min<std::uint64_t>(reader.number(), 2));
    message.file = reader.text();
    message.line = reader.number();
    message.column = reader.number();
    message.text = reader.text();
    messages.push_back(std::move(message));
  }
  return messages;
}

/// What stands before the digest; nothing unless that fits.
std::optional<std::span<const std::byte>> signed_content(std::span<const std::byte> bytes, const Digest& secret) {
  Digest stored{};
  if (bytes.size() < kMagic.size() + stored.size()) return std::nullopt;
  const auto content = bytes.first(bytes.size() - stored.size());
  std::copy_n(bytes.end() - static_cast<std::ptrdiff_t>(stored.size()), stored.size(), stored.begin());
  if (!same_digest(stored, keyed_digest(content, secret))) return std::nullopt;
  return content;
}

bool starts_with_magic(std::span<const std::byte> content) {
  const auto magic = std::as_bytes(std::span(kMagic.data(), kMagic.size()));
  return std::equal(magic.begin(), magic.end(), content.begin());  // which is as long, at least
}

}  // namespace

std::vector<std::byte> encode(const CacheEntry& entry, const CacheKey& key, const Digest& secret) {
  ByteWriter writer;
  writer.raw(std::as_bytes(std::span(kMagic.data(), kMagic.size())));
  writer.text(key.fields);
  writer.number(entry.kernels.size());
  for (const auto& [name, facts] : entry.kernels) {
    writer.text(name);
    write_facts(writer, facts);
  }
  write_messages(writer, entry.messages);
  writer.number(entry.complete ? 1 : 0);
  writer.blob(entry.binary);
  const Digest digest = keyed_digest(writer.bytes(), secret);
  writer.raw(digest);
  return std::move(writer.bytes());
}

std::optional<DecodedEntry> decode(std::span<const std::byte> bytes, const Digest& secret) {
  // Before anything else is looked at: a damaged binary can end the process inside the driver.
  const auto content = signed_content(bytes, secret);
  if (!content || !starts_with_magic(*content)) return std::nullopt;

  ByteReader reader(content->subspan(kMagic.size()));
  DecodedEntry decoded;
  decoded.key_fields = reader.text();
  CacheEntry& entry = decoded.entry;
  const std::uint64_t kernels = reader.number();
  for (std::uint64_t i = 0; i < kernels && !reader.failed(); ++i) {
    std::string name = reader.text();
    entry.kernels.insert_or_assign(std::move(name), read_stored_facts(reader));
  }
  entry.messages = read_stored_messages(reader);
  entry.complete = reader.number() != 0;
  const auto binary = reader.blob();
  entry.binary.assign(binary.begin(), binary.end());
  if (reader.failed() || !reader.at_end() || entry.binary.empty()) return std::nullopt;
  return decoded;
}

bool is_of_another_version(std::span<const std::byte> bytes, const Digest& secret) {
  const auto content = signed_content(bytes, secret);
  return content && !starts_with_magic(*content);
}

std::optional<CacheEntry> decode(std::span<const std::byte> bytes, const CacheKey& key, const Digest& secret) {
  auto decoded = decode(bytes, secret);
  if (!decoded || decoded->key_fields != key.fields) return std::nullopt;
  return std::move(decoded->entry);
}

}  // namespace anycl::detail
