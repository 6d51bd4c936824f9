// BlockGrid: the blocks of a world as prismarine-physics asks for them, remembered once looked up, with doors that can be opened.
// One thread. A grid belongs to one walk: what was opened stays open until reset().
// Subclasses give blockAt(x, y, z): a new prismarine Block, or null where nothing is known.
'use strict'
const { Vec3 } = require('vec3')

const KEY_BASE = 2 ** 21 // cells along x and z, more than any fixture has
const KEY_OFFSET = 2 ** 20
const KEY_HEIGHT = 2 ** 9
const DOOR_UPPER_BIT = 8 // in the metadata of doors before 1.13
const DOOR_OPEN_BIT = 4 // in that of the lower half, and of gates

class BlockGrid {
  constructor (version) {
    this.version = version
    this.data = require('minecraft-data')(version)
    this.Block = require('prismarine-block')(version)
    this.numeric = this.data.isOlderThan('1.13')
    this.cache = new Map()
    this.opened = []
  }

  getBlock (pos) {
    const x = Math.floor(pos.x)
    const y = Math.floor(pos.y)
    const z = Math.floor(pos.z)
    const key = ((x + KEY_OFFSET) * KEY_BASE + (z + KEY_OFFSET)) * KEY_HEIGHT + (y + KEY_HEIGHT / 4)
    let block = this.cache.get(key)
    if (block === undefined) {
      block = this.complete(this.blockAt(x, y, z), x, y, z)
      this.cache.set(key, block)
    }
    return block
  }

  complete (block, x, y, z) {
    if (block === null) return null
    block.position = new Vec3(x, y, z)
    // Before 1.13 only the lower half of a door knows which way it stands and whether it is open.
    if (this.numeric && isDoor(block) && (block.metadata & DOOR_UPPER_BIT)) {
      const lower = this.getBlock({ x, y: y - 1, z })
      if (lower && lower.type === block.type) block.shapes = lower.shapes
    }
    return block
  }

  // Opens what can be opened in a cell: a gate, or both halves of a door. Returns whether there was anything closed.
  open (x, y, z) {
    const block = this.getBlock({ x, y, z })
    if (!block || !(isDoor(block) || isGate(block))) return false
    if (!this.numeric) {
      const properties = block.getProperties()
      if (properties.open === true) return false
      this.replace(this.Block.fromProperties(block.type, { ...properties, open: true }, 0), x, y, z)
      return true
    }
    if (isDoor(block) && (block.metadata & DOOR_UPPER_BIT)) return this.open(x, y - 1, z)
    if (block.metadata & DOOR_OPEN_BIT) return false
    this.replace(new this.Block(block.type, 0, block.metadata | DOOR_OPEN_BIT), x, y, z)
    if (isDoor(block)) {
      const upper = this.blockAt(x, y + 1, z)
      if (upper && upper.type === block.type) this.replace(upper, x, y + 1, z)
    }
    return true
  }

  replace (block, x, y, z) {
    const known = this.getBlock({ x, y, z })
    this.opened.push({ known, shapes: known.shapes, stateId: known.stateId, metadata: known.metadata })
    block = this.complete(block, x, y, z)
    known.shapes = block.shapes
    known.metadata = block.metadata
    known.stateId = block.stateId
  }

  // Closes again what open() opened.
  reset () {
    for (const { known, shapes, stateId, metadata } of this.opened.reverse()) Object.assign(known, { shapes, stateId, metadata })
    this.opened = []
  }
}

const isDoor = block => block.name.endsWith('door') && !block.name.endsWith('trapdoor')
const isGate = block => block.name.endsWith('fence_gate')

module.exports = { BlockGrid }
