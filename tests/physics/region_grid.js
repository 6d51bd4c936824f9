// RegionGrid: a world folder read by prismarine-provider-anvil, which shares nothing with voxpath's reader.
// One thread. Usage: const grid = await RegionGrid.open(folder, '1.16.1')
'use strict'
const fs = require('fs')
const { Vec3 } = require('vec3')
const { BlockGrid } = require('./block_grid')

const CHUNK = 16 // blocks
const REGION = 32 // chunks

class RegionGrid extends BlockGrid {
  static async open (folder, version) {
    const grid = new RegionGrid(version)
    const Anvil = require('prismarine-provider-anvil').Anvil(version)
    const anvil = new Anvil(folder)
    grid.columns = new Map()
    for (const file of fs.readdirSync(folder)) {
      const match = /^r\.(-?\d+)\.(-?\d+)\.mca$/.exec(file)
      if (match) await grid.readRegion(anvil, Number(match[1]), Number(match[2]))
    }
    await anvil.close()
    if (grid.columns.size === 0) throw new Error(`${folder}: no chunk could be read`)
    return grid
  }

  async readRegion (anvil, rx, rz) {
    for (let x = rx * REGION; x < (rx + 1) * REGION; x++) {
      for (let z = rz * REGION; z < (rz + 1) * REGION; z++) {
        const column = await anvil.load(x, z)
        if (column) this.columns.set(`${x},${z}`, column)
      }
    }
  }

  blockAt (x, y, z) {
    const column = this.columns.get(`${Math.floor(x / CHUNK)},${Math.floor(z / CHUNK)}`)
    if (!column) return null
    return column.getBlock(new Vec3(x - Math.floor(x / CHUNK) * CHUNK, y, z - Math.floor(z / CHUNK) * CHUNK))
  }
}

module.exports = { RegionGrid }
