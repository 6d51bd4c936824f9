// ToldGrid: a generated or drawn world, whose blocks only voxpath knows: they are asked for as a box around a path.
// One thread. Usage: const grid = new ToldGrid(voxpath, 'terrain:7'); grid.load(waypoints)
'use strict'
const { BlockGrid } = require('./block_grid')

const VERSION = '1.21.1' // has every block of these worlds
const MARGIN = 4 // blocks around a path
const LAYER_MAX = 30_000 // blocks asked for at once

class ToldGrid extends BlockGrid {
  constructor (voxpath, source) {
    super(VERSION)
    this.voxpath = voxpath
    this.source = source
    this.names = new Map()
  }

  load (waypoints) {
    const low = [0, 1, 2].map(axis => Math.min(...waypoints.map(w => w.cell[axis])) - MARGIN)
    const high = [0, 1, 2].map(axis => Math.max(...waypoints.map(w => w.cell[axis])) + MARGIN)
    this.names.clear()
    this.cache.clear()
    const layers = Math.max(1, Math.floor(LAYER_MAX / ((high[0] - low[0] + 1) * (high[2] - low[2] + 1))))
    for (let y = low[1]; y <= high[1]; y += layers) {
      const box = `${low[0]},${y},${low[2]}..${high[0]},${Math.min(high[1], y + layers - 1)},${high[2]}`
      const { blocks } = this.voxpath(['world', 'blocks', '--json', '--world', this.source, `--box=${box}`])
      for (const { at, name, missing } of blocks) if (!missing) this.names.set(at.join(), name)
    }
  }

  blockAt (x, y, z) {
    const name = this.names.get(`${x},${y},${z}`)
    return name === undefined ? null : this.Block.fromString(name, 0)
  }
}

module.exports = { ToldGrid }
