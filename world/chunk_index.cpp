#include "world/chunk_index.hpp"

#include <algorithm>
#include <utility>

namespace voxpath::world {

namespace {

template <class Node>
void destroy_node(const void* node) noexcept {
  delete static_cast<const Node*>(node);
}
/// For one more element, before anything is changed: so nothing is left half done when memory runs out.
template <class T>
void make_room(std::vector<T>& v) {
  if (v.size() == v.capacity()) v.reserve(2 * v.size() + 8);
}
void destroy_chunk(const void* chunk) noexcept { intrusive_ptr_release(static_cast<const Chunk*>(chunk)); }

}  // namespace

void ChunkIndex::for_each(const std::function<void(ChunkPos, const Chunk&)>& visit) const {
  if (root_ == nullptr) return;
  for (const Middle* middle : root_->children) {
    if (middle == nullptr) continue;
    for (const Lower* lower : middle->children) {
      if (lower == nullptr) continue;
      for (const Tile* tile : lower->children) {
        for (; tile != nullptr; tile = tile->next) {
          for (int i = 0; i < 16; ++i) {
            const Chunk* chunk = tile->slots[static_cast<std::size_t>(i)].chunk;
            if (chunk != nullptr) visit({tile->at.x * 4 + (i & 3), tile->at.z * 4 + (i >> 2)}, *chunk);
          }
        }
      }
    }
  }
}

void ChunkIndex::for_each_since(std::uint64_t version, const std::function<void(ChunkPos)>& visit) const {
  const auto changed = [version](const auto* node) { return node != nullptr && node->since > version; };
  if (!changed(root_)) return;
  for (const Middle* middle : root_->children) {
    if (!changed(middle)) continue;
    for (const Lower* lower : middle->children) {
      if (!changed(lower)) continue;
      for (const Tile* tile : lower->children) {
        for (; tile != nullptr; tile = tile->next) {  // one further on may be newer than those before it
          for (std::size_t i = 0; i < 16; ++i) {
            const Tile::Slot& slot = tile->slots[i];
            if (slot.chunk == nullptr || slot.since <= version) continue;
            visit({tile->at.x * 4 + static_cast<std::int32_t>(i & 3),
                   tile->at.z * 4 + static_cast<std::int32_t>(i >> 2)});
          }
        }
      }
    }
  }
}

void ChunkIndexWriter::begin(std::uint64_t version) {
  before_ = now_;
  version_ = version;
}

/// The node for writing: a new one where there is none, a copy where an earlier version shows it.
template <class Node>
Node& ChunkIndexWriter::own(const Node*& slot) {
  if (slot != nullptr && slot->since == version_) return const_cast<Node&>(*slot);  // made here, seen by nobody else
  make_room(fresh_);
  make_room(retired_);
  Node* const node = slot != nullptr ? new Node(*slot) : new Node();
  fresh_.push_back({version_, node, destroy_node<Node>});
  if (slot != nullptr) retired_.push_back({slot->since, slot, destroy_node<Node>});
  node->since = version_;
  slot = node;
  return *node;
}

const ChunkIndex::Tile*& ChunkIndexWriter::own_chain(ChunkPos at) {
  const std::uint64_t h = hash_value(at);
  Middle& middle = own(own(now_.root_).children[h & 31]);
  return own(middle.children[h >> 5 & 31]).children[h >> 10 & 31];
}

ChunkIndex::Tile& ChunkIndexWriter::own_tile(ChunkPos at) {
  const Tile** slot = &own_chain(at);
  while (*slot != nullptr) {
    Tile& tile = own(*slot);
    if (tile.at == at) return tile;
    slot = &tile.next;
  }
  Tile& tile = own(*slot);
  tile.at = at;
  return tile;
}

/// Precondition: the tile and those before it in its chain are this version's own.
void ChunkIndexWriter::unlink_tile(ChunkPos at) {
  const Tile** slot = &own_chain(at);
  while ((*slot)->at != at) slot = &own(*slot).next;
  const Tile* const tile = *slot;
  emptied_.push_back(tile);
  *slot = tile->next;
}

void ChunkIndexWriter::release(const Tile::Slot& slot) {
  if (slot.chunk == nullptr) return;
  if (slot.since == version_) {
    destroy_chunk(slot.chunk);  // no other version has seen it
  } else {
    retired_.push_back({slot.since, slot.chunk, destroy_chunk});
  }
}

void ChunkIndexWriter::put(ChunkPos pos, Ref<const Chunk> chunk) {
  Tile& tile = own_tile(ChunkIndex::tile_of(pos));
  make_room(retired_);
  Tile::Slot& slot = tile.slots[ChunkIndex::slot_of(pos)];
  release(slot);
  if (slot.chunk == nullptr) {
    ++tile.chunks;
    ++now_.size_;
  }
  slot = {chunk.detach(), version_};
}

bool ChunkIndexWriter::erase(ChunkPos pos) {
  if (now_.find(pos) == nullptr) return false;
  Tile& tile = own_tile(ChunkIndex::tile_of(pos));
  make_room(retired_);
  make_room(emptied_);
  Tile::Slot& slot = tile.slots[ChunkIndex::slot_of(pos)];
  release(slot);
  slot = {};
  --now_.size_;
  if (--tile.chunks == 0) unlink_tile(tile.at);
  return true;
}

Chunk* ChunkIndexWriter::find_mutable(ChunkPos pos) {
  if (now_.find(pos) == nullptr) return nullptr;
  Tile::Slot& slot = own_tile(ChunkIndex::tile_of(pos)).slots[ChunkIndex::slot_of(pos)];
  if (slot.since != version_ || !slot.chunk->unique()) {
    auto copy = make_ref<Chunk>(*slot.chunk);
    make_room(retired_);
    release(slot);
    slot = {copy.detach(), version_};
  }
  return const_cast<Chunk*>(slot.chunk);  // ours alone
}

std::vector<Retired> ChunkIndexWriter::commit() {
  for (const Tile* tile : emptied_) delete tile;
  emptied_.clear();
  fresh_.clear();
  return std::exchange(retired_, {});
}

void ChunkIndexWriter::rollback() {
  // Chunks that this version put are held by slots of its tiles, those that it took away by the slots of the old ones.
  for (const Retired& node : fresh_) {
    if (node.destroy != destroy_node<Tile>) continue;
    for (const Tile::Slot& slot : static_cast<const Tile*>(node.what)->slots) {
      if (slot.chunk != nullptr && slot.since == version_) destroy_chunk(slot.chunk);
    }
  }
  for (const Retired& node : fresh_) node.destroy(node.what);
  fresh_.clear();
  emptied_.clear();
  retired_.clear();
  now_ = before_;
}

template <class Node>
void ChunkIndexWriter::retire_node(std::vector<Retired>& into, const Node* node) {
  if (node == nullptr) return;
  if constexpr (std::is_same_v<Node, Tile>) {
    for (const Tile::Slot& slot : node->slots) {
      if (slot.chunk != nullptr) into.push_back({slot.since, slot.chunk, destroy_chunk});
    }
    retire_node(into, node->next);
  } else {
    for (const auto* child : node->children) retire_node(into, child);
  }
  into.push_back({node->since, node, destroy_node<Node>});
}

std::vector<Retired> ChunkIndexWriter::retire_everything() {
  std::vector<Retired> all;
  retire_node(all, std::exchange(now_, {}).root_);
  return all;
}

}  // namespace voxpath::world
