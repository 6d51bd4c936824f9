// SharedCount and Ref<T>: intrusive, thread-safe reference counting for the immutable parts of a world; AtomicRef<T>: a
// place from which any number of readers take such a reference without a lock while one writer replaces it.
// Thread-safety: Ref as shared_ptr (distinct Refs from any thread); AtomicRef::load from any thread, store from one at
// a time.
// Invariants: an object dies when its last Ref goes; AtomicRef never exposes an object whose count could be zero.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include <boost/smart_ptr/intrusive_ptr.hpp>

namespace voxpath::world {

/// Base of shared immutable objects. Copying an object does not copy its count.
class SharedCount {
 public:
  SharedCount() = default;
  SharedCount(const SharedCount&) noexcept {}
  SharedCount& operator=(const SharedCount&) noexcept { return *this; }

  void add_references(std::int64_t n) const noexcept { count_.fetch_add(n, std::memory_order_relaxed); }
  /// Returns true when these were the last.
  [[nodiscard]] bool drop_references(std::int64_t n) const noexcept {
    return count_.fetch_sub(n, std::memory_order_acq_rel) == n;
  }
  /// Whether the caller's reference is the only one: then nobody else can see the object, and a writer may change it in
  /// place.
  [[nodiscard]] bool unique() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 protected:
  ~SharedCount() = default;

 private:
  mutable std::atomic<std::int64_t> count_{0};
};

/// What happens to an object with its last reference; types that end otherwise have an overload.
template <class T>
void dispose(const T* p) noexcept {
  delete p;
}

template <class T>
  requires std::is_base_of_v<SharedCount, std::remove_const_t<T>>
void intrusive_ptr_add_ref(T* p) noexcept {
  p->add_references(1);
}
template <class T>
  requires std::is_base_of_v<SharedCount, std::remove_const_t<T>>
void intrusive_ptr_release(T* p) noexcept {
  if (p->drop_references(1)) dispose(p);
}

template <class T>
using Ref = boost::intrusive_ptr<T>;

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

/// Differential reference counting: the 16 spare bits of a 48-bit address count the readers that are between reading
/// the pointer and owning a reference. The slot itself holds kBias references, so that a reader who finds the slot
/// replaced can give its count back before the writer has settled the account, without the object's count touching
/// zero.
template <class T>
class AtomicRef {
 public:
  explicit AtomicRef(const Ref<T>& value) : word_(pack(value.get())) { adopt(value); }
  AtomicRef(const AtomicRef&) = delete;
  AtomicRef& operator=(const AtomicRef&) = delete;
  ~AtomicRef() { settle(word_.load(std::memory_order_acquire)); }

  [[nodiscard]] Ref<T> load() const noexcept {
    const std::uint64_t before = word_.fetch_add(kOneReader, std::memory_order_acq_rel);
    T* const p = pointer(before);
    Ref<T> result(p);  // a reference of our own
    std::uint64_t now = word_.load(std::memory_order_relaxed);
    while (pointer(now) == p && now >= kOneReader) {  // give the slot's reader count back
      if (word_.compare_exchange_weak(now, now - kOneReader, std::memory_order_acq_rel)) return result;
    }
    // The writer has turned, or will turn, our reader count into a reference: that is one too many.
    intrusive_ptr_release(p);
    return result;
  }

  void store(const Ref<T>& value) noexcept {
    adopt(value);
    settle(word_.exchange(pack(value.get()), std::memory_order_acq_rel));
  }

 private:
  static constexpr std::uint64_t kOneReader = std::uint64_t{1} << 48;
  static constexpr std::int64_t kBias = std::int64_t{1} << 17;  // more than the 16-bit reader count can hold

  static std::uint64_t pack(T* p) noexcept { return reinterpret_cast<std::uint64_t>(p); }
  static T* pointer(std::uint64_t word) noexcept {
    return reinterpret_cast<T*>(word & (kOneReader - 1));  // NOLINT(performance-no-int-to-ptr): it is both at once
  }
  static void adopt(const Ref<T>& value) noexcept { value->add_references(kBias); }
  static void settle(std::uint64_t word) noexcept {
    T* const p = pointer(word);
    const auto readers = static_cast<std::int64_t>(word >> 48);
    if (p->drop_references(kBias - readers)) dispose(p);
  }

  mutable std::atomic<std::uint64_t> word_;
};

}  // namespace voxpath::world
