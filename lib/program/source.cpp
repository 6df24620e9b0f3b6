#include "anycl/program/source.hpp"

namespace anycl {

struct Source::Owned {
  std::string text;
  std::string name;
};

Source::Source(std::string text, std::string name)
    : owned_(std::make_shared<const Owned>(Owned{std::move(text), std::move(name)})) {
  name_ = owned_->name;
  text_ = owned_->text;
}

}  // namespace anycl
