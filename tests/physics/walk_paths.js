// Walks paths of voxpath with prismarine-physics, an independent re-implementation of the game's player physics.
//
//   node walk_paths.js --voxpath FILE [--worlds DIR] [--paths N] [--seed S] [--world NAME] [--only K] [--trace]
//
// --world NAME --only K --trace walks the K-th path of one world again and tells each tick.
//
// In each world, start and goal are drawn by the seed, 8 to 45 blocks apart, half of them dropped from above and half
// anywhere below ground; `voxpath path --agent player` answers; every path that it calls found and that has 10 to 60
// moves is walked by a driver (walker.js) that looks at the next waypoint only. The first half of a world's paths is asked for
// without leaps, the second with all that the profile can. A path counts as walked when the player stood, swam or hung at each waypoint in
// turn, at the floor that voxpath said. Worlds in DIR are read by prismarine-provider-anvil; without DIR generated
// land is walked, as `voxpath world blocks` tells it. Each path that was not walked is told with the command that
// gives it. The last line says how many were; the exit code is 1 below 98 %.
'use strict'
const fs = require('fs')
const path = require('path')
const { execFileSync } = require('child_process')
const { parseArgs } = require('util')
const { ToldGrid } = require('./told_grid')
const { RegionGrid } = require('./region_grid')
const { Walk } = require('./walker')

const ARRIVED_LEAST = 0.98
const DISTANCE = [8, 45] // blocks from start to goal, horizontally
const MOVES = [10, 60]
const TRIES_MAX = 40 // questions for each path wanted
const EXPANSIONS_MAX = 20_000
const NO_PATH_CODES = [3, 4] // of `voxpath path`: no complete path; start or goal invalid
const OUTPUT_BYTES_MAX = 2 ** 28

// The version of the block tables for a folder, which has the version of the game in its name. 1.8 stands under those of 1.12, whose numbers
// are the same: its own have one shape for all stairs, whichever way they face.
const VERSIONS = { '1.12.2': '1.12.2', '1.13.2': '1.13.2', 1.16: '1.16.1', '1.18.1': '1.18', '1.21.1': '1.21.1', 1.8: '1.12.2', '1.14.4': '1.14.4' }
const GENERATED = ['terrain:7', 'terrain:2026', 'maze:7', 'flat']
// A drawn world with what wild ones lack, and where to draw places in it.
const COURSE = { name: 'course', source: path.join(__dirname, 'course.scn'), extent: [[0, 0, 0], [39, 31, 23]] }

// mulberry32: small, seeded, the same everywhere.
function randomNumbers (seed) {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6D2B79F5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), a | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function readOptions () {
  const { values } = parseArgs({
    options: {
      voxpath: { type: 'string' },
      worlds: { type: 'string' },
      paths: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      world: { type: 'string' },
      only: { type: 'string' },
      trace: { type: 'boolean', default: false }
    }
  })
  if (!values.voxpath) throw new Error('--voxpath FILE is needed')
  const whole = (name, least) => {
    const number = Number(values[name])
    if (Number.isInteger(number) && number >= least) return number
    throw new Error(`--${name} = ${values[name]}: a whole number of at least ${least} is needed`)
  }
  return { ...values, paths: whole('paths', 1), seed: whole('seed', 0), only: values.only && whole('only', 1) }
}

// Runs the command line and reads the JSON that it prints; null for the exit codes that mean no path.
function caller (program) {
  return args => {
    try {
      return JSON.parse(execFileSync(program, args, { encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX, stdio: ['ignore', 'pipe', 'pipe'] }))
    } catch (fault) {
      if (NO_PATH_CODES.includes(fault.status)) return null
      throw new Error(`${program} ${args.join(' ')}: ${fault.stderr || fault.message}`)
    }
  }
}

// Worlds as { name, source, grid(): promise }: the course, and folders of a known version or generated ones.
function listWorlds (options, voxpath) {
  const told = world => ({ ...world, grid: async () => new ToldGrid(voxpath, world.source) })
  if (!options.worlds) return [...GENERATED.map(name => told({ name, source: name })), told(COURSE)]
  const worlds = [told(COURSE)]
  for (const name of fs.readdirSync(options.worlds).sort()) {
    const folder = path.join(options.worlds, name)
    const version = VERSIONS[Object.keys(VERSIONS).sort((a, b) => b.length - a.length).find(v => name.includes(v))]
    if (version && fs.statSync(folder).isDirectory()) {
      worlds.push({ name, source: folder, grid: () => RegionGrid.open(folder, version) })
    }
  }
  if (worlds.length === 1) throw new Error(`--worlds ${options.worlds}: no folder there has the version of its world in its name`)
  return worlds
}

function draw (random, info) {
  const between = (low, high) => low + Math.floor(random() * (high - low))
  const [low, high] = info.extent
  const top = info.min_y + info.height - 1
  const fromAbove = random() < 0.5
  const x = between(low[0], high[0] + 1)
  const z = between(low[2], high[2] + 1)
  const angle = random() * 2 * Math.PI
  const distance = between(DISTANCE[0], DISTANCE[1] + 1)
  const y = fromAbove ? top : between(info.min_y + 1, Math.min(top, 100))
  const goalY = fromAbove ? top : y + between(-6, 7)
  return {
    from: [x + 0.5, y, z + 0.5],
    to: [Math.floor(x + distance * Math.cos(angle)) + 0.5, goalY, Math.floor(z + distance * Math.sin(angle)) + 0.5]
  }
}

const place = p => p.map(n => Number.isInteger(n) ? `${n}.0` : `${n}`).join(',')

function questionArgs (world, { from, to }, leaps) {
  const args = ['path', '--world', world.source, `--from=${place(from)}`, `--to=${place(to)}`, '--agent', 'player']
  if (!leaps) args.push('--set', 'leap=0')
  return [...args, '--limit', `${EXPANSIONS_MAX}`, '--json']
}

function walkOne (grid, answer, trace) {
  if (grid.load) grid.load(answer.waypoints)
  const walk = new Walk(grid, answer.waypoints)
  walk.trace = trace
  const fault = walk.run()
  grid.reset()
  return { fault, ticks: walk.ticks }
}

const add = (counts, key, n = 1) => counts.set(key, (counts.get(key) || 0) + n)

async function walkWorld (world, wanted, options, voxpath, totals) {
  const info = voxpath(['world', 'info', '--json', '--world', world.source])
  const grid = await world.grid()
  const random = randomNumbers(options.seed)
  let found = 0
  let walked = 0
  let arrived = 0
  for (let asked = 0; found < wanted && asked < wanted * TRIES_MAX; asked++) {
    const args = questionArgs(world, draw(random, { ...info, extent: world.extent || info.extent }), found >= wanted / 2)
    const answer = voxpath(args)
    if (!answer || answer.status !== 'FOUND' || answer.moves < MOVES[0] || answer.moves > MOVES[1]) continue
    found++
    if (options.only && options.only !== found) continue
    walked++
    const { fault, ticks } = walkOne(grid, answer, options.trace)
    totals.ticks += ticks
    for (const w of answer.waypoints) {
      add(totals.kinds, w.kind)
      if (w.action === 'OPEN') add(totals.kinds, 'open')
      if (w.node === 'swim') add(totals.kinds, 'in water')
    }
    add(totals.lengths, `${Math.floor(answer.moves / 10) * 10}-${Math.floor(answer.moves / 10) * 10 + 9}`)
    if (fault) console.log(`  ${world.name} #${found}: ${fault}\n    voxpath ${args.filter(a => a !== '--json').join(' ')}`)
    else arrived++
  }
  totals.walked += walked
  totals.arrived += arrived
  console.log(`${world.name}: ${arrived} of ${walked} walked`)
}

async function main () {
  const options = readOptions()
  const voxpath = caller(options.voxpath)
  const worlds = listWorlds(options, voxpath)
  const totals = { walked: 0, arrived: 0, ticks: 0, kinds: new Map(), lengths: new Map() }
  for (const [index, world] of worlds.entries()) {
    const wanted = Math.floor(options.paths * (index + 1) / worlds.length) - Math.floor(options.paths * index / worlds.length)
    if (!options.world || world.name.includes(options.world)) await walkWorld(world, wanted, options, voxpath, totals)
  }
  const list = counts => [...counts].sort().map(([key, n]) => `${key} ${n}`).join(', ')
  console.log(`moves by kind: ${list(totals.kinds)}\npaths by number of moves: ${list(totals.lengths)}\n${totals.ticks} ticks`)
  const enough = totals.walked > 0 && totals.arrived >= ARRIVED_LEAST * totals.walked
  console.log(`${totals.arrived} of ${totals.walked} arrived (${(100 * totals.arrived / Math.max(1, totals.walked)).toFixed(1)} %, ` +
    `${100 * ARRIVED_LEAST} % are needed)`)
  process.exitCode = enough ? 0 : 1
}

main().catch(fault => {
  console.error(`walk_paths: ${fault.message}`)
  process.exitCode = 2
})
