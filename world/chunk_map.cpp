#include "world/chunk_map.hpp"

#include <bit>
#include <utility>

#include <boost/container/static_vector.hpp>

namespace voxpath::world {

namespace {

// Measured: an edit copies one node a level and counts a reference for each place in it, so 64-way nodes cost an edit
// in a big world twice as much; with 4- or 8-way nodes finding a chunk is slower for no gain.
constexpr unsigned kBitsPerLevel = 4;
constexpr std::size_t kPlaces = std::size_t{1} << kBitsPerLevel;

std::uint64_t bit_of(std::uint64_t h, unsigned level) {
  return std::uint64_t{1} << (h >> (level * kBitsPerLevel) & (kPlaces - 1));
}

std::size_t rank(std::uint64_t map, std::uint64_t bit) {
  return static_cast<std::size_t>(std::popcount(map & (bit - 1)));
}

}  // namespace

/// `leaf_map` says which places hold a chunk, `child_map` which hold a deeper node; never both.
struct ChunkMap::Node : SharedCount {
  struct Leaf {
    ChunkPos pos;
    Ref<Chunk> chunk;
  };
  std::uint64_t leaf_map = 0;
  std::uint64_t child_map = 0;
  boost::container::static_vector<Leaf, kPlaces> leaves;
  boost::container::static_vector<Ref<Node>, kPlaces> children;

  static Node& own(Ref<Node>& slot) {
    if (!slot->unique()) slot = make_ref<Node>(*slot);
    return *slot;
  }

  static bool put(Ref<Node>& slot, unsigned level, std::uint64_t h, ChunkPos pos, Ref<Chunk> chunk) {
    Node& node = own(slot);
    const std::uint64_t bit = bit_of(h, level);
    if (node.child_map & bit) {
      return put(node.children[rank(node.child_map, bit)], level + 1, h, pos, std::move(chunk));
    }
    const std::size_t at = rank(node.leaf_map, bit);
    const auto leaf = node.leaves.begin() + static_cast<std::ptrdiff_t>(at);
    if (!(node.leaf_map & bit)) {
      node.leaf_map |= bit;
      node.leaves.insert(leaf, {pos, std::move(chunk)});
      return true;
    }
    if (leaf->pos == pos) {
      leaf->chunk = std::move(chunk);
      return false;
    }
    Ref<Node> child = make_ref<Node>();
    put(child, level + 1, hash_value(leaf->pos), leaf->pos, std::move(leaf->chunk));
    put(child, level + 1, h, pos, std::move(chunk));
    node.leaves.erase(leaf);
    node.leaf_map &= ~bit;
    const std::size_t child_at = rank(node.child_map, bit);
    node.child_map |= bit;
    node.children.insert(node.children.begin() + static_cast<std::ptrdiff_t>(child_at), std::move(child));
    return true;
  }

  /// Precondition: the chunk is there. A child that is left with one chunk and no child is folded into its parent.
  static void erase(Ref<Node>& slot, unsigned level, std::uint64_t h) {
    Node& node = own(slot);
    const std::uint64_t bit = bit_of(h, level);
    const auto leaf_at = static_cast<std::ptrdiff_t>(rank(node.leaf_map, bit));
    if (node.leaf_map & bit) {
      node.leaves.erase(node.leaves.begin() + leaf_at);
      node.leaf_map &= ~bit;
      return;
    }
    const auto child_at = static_cast<std::ptrdiff_t>(rank(node.child_map, bit));
    Ref<Node>& child = node.children[static_cast<std::size_t>(child_at)];
    erase(child, level + 1, h);
    if (child->child_map == 0 && child->leaves.size() == 1) {
      Leaf leaf = child->leaves.front();
      node.children.erase(node.children.begin() + child_at);
      node.child_map &= ~bit;
      node.leaf_map |= bit;
      node.leaves.insert(node.leaves.begin() + leaf_at, std::move(leaf));
    }
  }

  void for_each(const std::function<void(ChunkPos, const Chunk&)>& visit) const {
    for (const Leaf& leaf : leaves) visit(leaf.pos, *leaf.chunk);
    for (const auto& child : children) child->for_each(visit);
  }
};

ChunkMap::ChunkMap() : root_(make_ref<Node>()) {}
ChunkMap::ChunkMap(const ChunkMap&) = default;
ChunkMap::ChunkMap(ChunkMap&&) noexcept = default;
ChunkMap& ChunkMap::operator=(const ChunkMap&) = default;
ChunkMap& ChunkMap::operator=(ChunkMap&&) noexcept = default;
ChunkMap::~ChunkMap() = default;

const Chunk* ChunkMap::find(ChunkPos pos) const {
  const std::uint64_t h = hash_value(pos);
  const Node* node = root_.get();
  for (unsigned level = 0;; ++level) {
    const std::uint64_t bit = bit_of(h, level);
    if (node->child_map & bit) {
      node = node->children[rank(node->child_map, bit)].get();
      continue;
    }
    if (!(node->leaf_map & bit)) return nullptr;
    const Node::Leaf& leaf = node->leaves[rank(node->leaf_map, bit)];
    return leaf.pos == pos ? leaf.chunk.get() : nullptr;
  }
}

void ChunkMap::for_each(const std::function<void(ChunkPos, const Chunk&)>& visit) const { root_->for_each(visit); }

void ChunkMap::put(ChunkPos pos, Ref<Chunk> chunk) {
  if (Node::put(root_, 0, hash_value(pos), pos, std::move(chunk))) ++size_;
}

bool ChunkMap::erase(ChunkPos pos) {
  if (find(pos) == nullptr) return false;
  Node::erase(root_, 0, hash_value(pos));
  --size_;
  return true;
}

Chunk* ChunkMap::find_mutable(ChunkPos pos) {
  if (find(pos) == nullptr) return nullptr;
  const std::uint64_t h = hash_value(pos);
  Ref<Node>* slot = &root_;
  for (unsigned level = 0;; ++level) {
    Node& node = Node::own(*slot);
    const std::uint64_t bit = bit_of(h, level);
    if (node.child_map & bit) {
      slot = &node.children[rank(node.child_map, bit)];
      continue;
    }
    Ref<Chunk>& chunk = node.leaves[rank(node.leaf_map, bit)].chunk;
    if (!chunk->unique()) chunk = make_ref<Chunk>(*chunk);
    return chunk.get();
  }
}

}  // namespace voxpath::world
