// Chunks with made-up content for one version of the game, and what prismarine-chunk says is in a chunk.
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const { Vec3 } = require('vec3')

// A small generator of our own, so that the files can be made again byte by byte.
export function random (seed) {
  let s = seed >>> 0
  return (n) => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0
    return Math.floor((s / 2 ** 32) * n)
  }
}

// prismarine-provider-anvil writes integers as their index and thereby those that do not begin with 0 wrongly.
// Doors are left out because it does not join their halves before 1.13; they have tests of their own.
const writable = (block) =>
  !block.name.endsWith('_door') && !['air', 'cave_air', 'void_air'].includes(block.name) &&
  (block.states ?? []).every(s => s.type !== 'int' || !s.values || s.values[0] === '0')

export class Version {
  constructor (name) {
    this.name = name
    this.registry = require('prismarine-registry')(name)
    this.Chunk = require('prismarine-chunk')(this.registry)
    this.Anvil = require('prismarine-provider-anvil').Anvil(this.registry)
    this.Block = require('prismarine-block')(this.registry)
    this.numeric = !this.registry.supportFeature('blockStateId')
    this.tall = this.registry.supportFeature('tallWorld')
    this.minY = this.tall ? -64 : 0
    this.height = this.tall ? 384 : 256
    this.text = new Map()
  }

  empty () {
    return this.tall ? new this.Chunk({ minY: this.minY, worldHeight: this.height }) : new this.Chunk()
  }

  // Numbers of states: id << 4 | meta before 1.13.
  states (count, rnd) {
    const blocks = this.registry.blocksArray.filter(writable)
    const states = []
    while (states.length < count) {
      const block = blocks[rnd(blocks.length)]
      const meta = block.variations ? block.variations[rnd(block.variations.length)].metadata : 0
      states.push(this.numeric ? block.id << 4 | meta
        : block.minStateId + rnd(block.maxStateId - block.minStateId + 1))
    }
    return states
  }

  // One section with many states in runs, one with few, one all alike; the lowest and the highest of the world are among them.
  fill (chunk, seed, palette) {
    const rnd = random(seed)
    const top = this.minY + this.height - 16
    const section = (y0, states, run) => {
      let left = 0
      let state = 0
      for (let i = 0; i < 4096; i++) {
        if (left-- <= 0) {
          state = states[rnd(states.length)]
          left = rnd(run)
        }
        chunk.setBlockStateId(new Vec3(i & 15, y0 + (i >> 8), i >> 4 & 15), state)
      }
    }
    section(this.minY, this.states(palette, rnd), 32)
    section(this.minY + 32, [...this.states(3, rnd), 0], 60)
    section(this.minY + 48, this.states(1, rnd), 4096)
    section(top, [...this.states(2, rnd), 0], 200)
  }

  stateText (id) {
    if (this.numeric) return `${id >> 4}:${id & 15}`
    let text = this.text.get(id)
    if (text === undefined) {
      const block = this.Block.fromStateId(id, 0)
      const properties = Object.entries(block.getProperties()).map(([k, v]) => `${k}=${v}`).sort()
      text = `minecraft:${block.name}` + (properties.length ? `[${properties.join(',')}]` : '')
      this.text.set(id, text)
    }
    return text
  }

  // "chunk x z", then for each section that is not all air "section y", its states as "= text", and "runs" of <state>*<count>
  // over x fastest, then z, then y.
  account (chunk, x, z) {
    const lines = [`chunk ${x} ${z}`]
    for (let y0 = this.minY; y0 < this.minY + this.height; y0 += 16) {
      const palette = new Map()
      const runs = []
      for (let i = 0; i < 4096; i++) {
        const id = chunk.getBlockStateId(new Vec3(i & 15, y0 + (i >> 8), i >> 4 & 15))
        if (!palette.has(id)) palette.set(id, palette.size)
        const last = runs[runs.length - 1]
        if (last && last[0] === id) last[1]++
        else runs.push([id, 1])
      }
      if (palette.size === 1 && palette.has(0)) continue
      lines.push(`section ${y0 >> 4}`)
      for (const id of palette.keys()) lines.push(`= ${this.stateText(id)}`)
      lines.push('runs ' + runs.map(([id, n]) => palette.get(id) + (n > 1 ? `*${n}` : '')).join(' '))
    }
    return lines.join('\n') + '\n'
  }
}
