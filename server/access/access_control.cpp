#include "server/access/access_control.hpp"

#include <utility>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace voxpath::server {

using protocol::ErrorKind;
using protocol::Failure;

AccessControl::AccessControl(const std::vector<AccessToken>& tokens, Grant without_tokens) {
  replace(tokens, std::move(without_tokens));
}

AccessControl::Digest AccessControl::digest_of(std::string_view token) {
  Digest digest;
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest.data());
  return digest;
}

void AccessControl::replace(const std::vector<AccessToken>& tokens, Grant without_tokens) {
  std::vector<Known> known;
  for (const AccessToken& token : tokens)
    known.push_back({digest_of(token.secret), std::make_shared<const Grant>(token.grant)});
  const std::lock_guard lock(mutex_);
  tokens_ = std::move(known);
  without_tokens_ = std::make_shared<const Grant>(std::move(without_tokens));
}

std::shared_ptr<const Grant> AccessControl::find(const Digest& digest) const {
  if (tokens_.empty()) return without_tokens_;
  std::shared_ptr<const Grant> found;
  for (const Known& token : tokens_) {  // all of them: leaving at the first that fits would tell its place
    if (CRYPTO_memcmp(token.digest.data(), digest.data(), digest.size()) == 0) found = token.grant;
  }
  return found;
}

std::variant<AccessControl::Admission, Failure> AccessControl::admit(std::string_view token) {
  const std::lock_guard lock(mutex_);
  // Without tokens all are one and the same, whatever they say.
  const Digest digest = digest_of(tokens_.empty() ? std::string_view() : token);
  std::shared_ptr<const Grant> grant = find(digest);
  if (!grant) return Failure{ErrorKind::token_wrong, "the token in Hello is none of this server's", "hello.token"};
  std::size_t& there = connections_[digest];
  if (grant->connections_max > 0 && there >= grant->connections_max) {
    return Failure{ErrorKind::connections_full,
                   fmt::format("the token '{}' has {} connections already", grant->name, there),
                   "hello.token",
                   fmt::format("{}", there + 1),
                   fmt::format("{} connections", grant->connections_max),
                   1'000};
  }
  ++there;
  return Admission(this, digest, std::move(grant));
}

bool AccessControl::renew(Admission& admission) const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Grant> grant = find(admission.digest_);
  if (!grant) return false;
  admission.grant_ = std::move(grant);
  return true;
}

std::size_t AccessControl::connections(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const auto& [digest, count] : connections_) {
    const auto grant = find(digest);
    if (grant && grant->name == name) sum += count;
  }
  return sum;
}

void AccessControl::leave(const Digest& digest) {
  const std::lock_guard lock(mutex_);
  const auto found = connections_.find(digest);
  if (--found->second == 0) connections_.erase(found);
}

AccessControl::Admission::Admission(Admission&& other) noexcept
    : control_(std::exchange(other.control_, nullptr)), digest_(other.digest_), grant_(std::move(other.grant_)) {}

AccessControl::Admission& AccessControl::Admission::operator=(Admission&& other) noexcept {
  std::swap(control_, other.control_);
  std::swap(digest_, other.digest_);
  std::swap(grant_, other.grant_);
  return *this;
}

AccessControl::Admission::~Admission() {
  if (control_ != nullptr) control_->leave(digest_);
}

}  // namespace voxpath::server
