// AccessControl: who may come in, and what each may do: tokens with their grants, and how many connections each has.
// Thread-safety: all members from any thread. Lifetime: it outlives its Admissions.
// Invariants: tokens are kept and compared by their SHA-256, all of them each time, so that the time that a comparison
// takes tells neither how much of a token was right nor how long it is. A grant's connections are never more than it
// may have.
// Usage: auto let_in = access.admit(hello.token()); if (auto* refused = std::get_if<Failure>(&let_in)) ...
#pragma once

#include "protocol/errors.hpp"
#include "server/access/role.hpp"
#include "server/jobs/share.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace voxpath::server {

/// What a token, a certificate or nothing at all lets a connection do.
struct Grant {
  std::string name = "anyone";  // for logs and messages
  Role role = Role::admin;
  Share share{};
  std::size_t connections_max = 0;  // at once; 0: as many as the server takes
  std::size_t watches_max = 0;      // of one connection; 0: protocol::kWatchesMax
  friend bool operator==(const Grant&, const Grant&) = default;
};

struct AccessToken {
  std::string secret;
  Grant grant{};
  friend bool operator==(const AccessToken&, const AccessToken&) = default;
};

class AccessControl {
  using Digest = std::array<unsigned char, 32>;

 public:
  /// `without_tokens`: what all are granted where there are no tokens.
  AccessControl(const std::vector<AccessToken>& tokens, Grant without_tokens);

  /// A connection that was let in; it counts as one of its token until it is destroyed.
  class Admission {
   public:
    Admission(Admission&& other) noexcept;
    Admission& operator=(Admission&& other) noexcept;
    ~Admission();
    [[nodiscard]] const Grant& grant() const { return *grant_; }

   private:
    friend class AccessControl;
    Admission(AccessControl* control, const Digest& digest, std::shared_ptr<const Grant> grant)
        : control_(control), digest_(digest), grant_(std::move(grant)) {}
    AccessControl* control_;  // nullptr: moved from
    Digest digest_;
    std::shared_ptr<const Grant> grant_;
  };

  /// Failures: token_wrong, connections_full.
  [[nodiscard]] std::variant<Admission, protocol::Failure> admit(std::string_view token);
  /// Other tokens from now on. Who is in stays until renew() is asked.
  void replace(const std::vector<AccessToken>& tokens, Grant without_tokens);
  /// Gives the admission what its token grants now; false: there is no such token any more.
  [[nodiscard]] bool renew(Admission& admission) const;
  /// Connections that the token of that name has now.
  [[nodiscard]] std::size_t connections(std::string_view name) const;

 private:
  struct Known {
    Digest digest;
    std::shared_ptr<const Grant> grant;
  };

  [[nodiscard]] static Digest digest_of(std::string_view token);
  /// Takes as long whichever token it is. nullptr: none of them.
  [[nodiscard]] std::shared_ptr<const Grant> find(const Digest& digest) const;
  void leave(const Digest& digest);

  mutable std::mutex mutex_;
  // All guarded by mutex_.
  std::vector<Known> tokens_;
  std::shared_ptr<const Grant> without_tokens_;
  std::map<Digest, std::size_t> connections_;
};

}  // namespace voxpath::server
