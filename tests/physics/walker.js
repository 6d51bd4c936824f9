// walk(): one player of prismarine-physics on its way along a path. At each tick it knows the next waypoint only, looks
// towards it, and holds or releases forward, jump, sprint and sneak, as a player at a keyboard would.
// One thread; the grid's doors are opened where a waypoint's action says so.
'use strict'
const { Vec3 } = require('vec3')
const { Physics, PlayerState } = require('prismarine-physics')

const PX = 16 // px in a block
const PLAYER_STEP = 0.6 // blocks that the player walks up without a jump
const WALK_SPEED = 0.2158 // blocks a tick
const LEAP_SPEED = 0.5 // blocks a tick, what a sprinter has at take-off
const REACHED = 0.25 // blocks from a waypoint's centre, horizontally
const FLOOR_TOLERANCE = 0.13 // blocks, two px: extents are rounded to whole ones, soul sand lets sink in
const SWIM_TOLERANCE = 1.0 // blocks: a swimmer bobs
const PLAYER_HALF = 0.3 // blocks, half its width
const GROUND_DEPTH = 0.05 // blocks below the feet
const SPRINT = 1.3 // times as fast
const WAYPOINT_TICKS_MAX = 300 // 15 s for one move
const LEDGE_PUSH = 0.06 // blocks a tick beyond what leads to the centre
const FALLEN = 4 // blocks below both ends of a move

// A key is pressed when at least so much of the push that it gives is wanted.
const PRESS_LEAST = 0.5
const GROUND_PUSH = 0.098 // blocks/tick²
const AIR_PUSH = 0.0196
// How fast to go for a block of distance: in the air and in water one brakes slowly.
const GROUND_GAIN = 0.5
const AIR_GAIN = 0.3

const noKeys = () => ({ forward: false, back: false, left: false, right: false, jump: false, sprint: false, sneak: false })

function newPlayer (version, at) {
  const entity = {
    position: new Vec3(at[0], at[1], at[2]),
    velocity: new Vec3(0, 0, 0),
    onGround: true,
    isInWater: false,
    isInLava: false,
    isInWeb: false,
    isCollidedHorizontally: false,
    isCollidedVertically: false,
    elytraFlying: false,
    yaw: 0,
    pitch: 0,
    effects: {},
    attributes: {}
  }
  const bot = { version, entity, jumpTicks: 0, jumpQueued: false, fireworkRocketDuration: 0, inventory: { slots: [] } }
  return new PlayerState(bot, noKeys())
}

class Walk {
  constructor (grid, waypoints) {
    this.grid = grid
    this.physics = Physics(grid.data, grid)
    this.waypoints = waypoints
    this.player = newPlayer(grid.version, waypoints[0].position)
    this.next = 1
    this.ticksAtWaypoint = 0
    this.ticks = 0
  }

  // '' when the end was reached, else why not.
  run () {
    while (this.next < this.waypoints.length) {
      const fault = this.tick()
      if (fault) return fault
    }
    return ''
  }

  tick () {
    this.prepare()
    this.steer()
    this.physics.simulatePlayer(this.player, this.grid)
    this.ticks++
    const { player } = this
    if (this.trace) this.tell()
    const to = this.waypoints[this.next]
    const from = this.waypoints[this.next - 1]
    if (player.isInLava) return this.fault('swims in lava')
    if (this.reached(to)) {
      this.next++
      this.ticksAtWaypoint = 0
      return ''
    }
    if (player.pos.y < Math.min(from.position[1], to.position[1]) - FALLEN) return this.fault('fell off')
    if (++this.ticksAtWaypoint > WAYPOINT_TICKS_MAX) return this.fault('does not get on')
    return ''
  }

  tell () {
    const { pos, control, onGround, isInWater } = this.player
    const keys = Object.keys(control).filter(key => control[key]).join(' ')
    console.log(`  ${this.next} ${pos.x.toFixed(3)},${pos.y.toFixed(3)},${pos.z.toFixed(3)} ${onGround ? 'ground ' : ''}${isInWater ? 'water ' : ''}${keys}`)
  }

  fault (what) {
    const { pos } = this.player
    const to = this.waypoints[this.next]
    return `${what} before waypoint ${this.next} (${to.kind} to ${to.position.join(',')}), at ` +
      `${pos.x.toFixed(2)},${pos.y.toFixed(2)},${pos.z.toFixed(2)}`
  }

  reached (to) {
    const { pos, onGround, isInWater } = this.player
    if (Math.hypot(to.position[0] - pos.x, to.position[2] - pos.z) > REACHED) return false
    const above = pos.y - to.floor_px / PX
    if (to.node === 'swim') return isInWater && Math.abs(above) <= SWIM_TOLERANCE
    if (to.node === 'climb') return above > -FLOOR_TOLERANCE && above < 0.5
    return onGround && Math.abs(above) <= FLOOR_TOLERANCE
  }

  // Opens what the next waypoint asks to have opened: all that its body touches.
  prepare () {
    const to = this.waypoints[this.next]
    if (this.ticksAtWaypoint > 0 || to.action !== 'OPEN') return
    const [x, y, z] = to.cell
    for (let up = 0; up <= 2; up++) this.grid.open(x, y + up, z)
  }

  steer () {
    const { player } = this
    const from = this.waypoints[this.next - 1]
    const to = this.waypoints[this.next]
    const keys = noKeys()
    player.control = keys
    const climbs = to.kind === 'climb' && to.cell[0] === from.cell[0] && to.cell[2] === from.cell[2]
    let want = player.onGround ? this.wantedVelocity(to, GROUND_GAIN, WALK_SPEED) : this.wantedVelocity(to, AIR_GAIN, to.kind === 'leap' ? LEAP_SPEED : WALK_SPEED)
    if (to.kind === 'climb' && player.onGround && player.pos.y > to.position[1] + PLAYER_STEP) {
      // On the ladder's own top edge: clear of it.
      want = { x: want.x + (to.cell[0] - from.cell[0]) * LEDGE_PUSH, z: want.z + (to.cell[2] - from.cell[2]) * LEDGE_PUSH }
    }
    if (to.kind === 'leap') want = this.leap(from, to, keys, want)
    else if (climbs) want = this.climb(to, keys, want)
    else if (player.isInWater) keys.jump = player.pos.y < to.position[1] + 0.1
    else if (to.position[1] - player.pos.y > PLAYER_STEP) keys.jump = to.kind === 'jump' || to.kind === 'climb' || from.node !== 'standing'
    this.press(keys, want)
  }

  wantedVelocity (to, gain, speedMax) {
    const dx = to.position[0] - this.player.pos.x
    const dz = to.position[2] - this.player.pos.z
    const distance = Math.hypot(dx, dz)
    if (distance < 1e-9) return { x: 0, z: 0 }
    const speed = Math.min(speedMax, distance * gain)
    return { x: dx / distance * speed, z: dz / distance * speed }
  }

  // Turns to where the wanted push goes and holds forward unless a tick of it pushes much too far.
  press (keys, want) {
    const { player } = this
    const x = want.x - player.vel.x
    const z = want.z - player.vel.z
    const push = player.onGround ? GROUND_PUSH : AIR_PUSH
    if (Math.hypot(x, z) < push * PRESS_LEAST) return
    player.yaw = Math.atan2(-x, -z)
    keys.forward = true
  }

  // Runs to the edge and jumps where one more step would find no ground.
  leap (from, to, keys, want) {
    const { player } = this
    const gap = Math.abs(to.cell[0] - from.cell[0]) + Math.abs(to.cell[2] - from.cell[2]) - 1
    const ahead = { x: Math.sign(to.cell[0] - from.cell[0]), z: Math.sign(to.cell[2] - from.cell[2]) }
    const gone = (player.pos.x - from.position[0]) * ahead.x + (player.pos.z - from.position[2]) * ahead.z
    const takesOff = gone < 1
    keys.sprint = takesOff && (gap >= 3 || (gap === 2 && to.position[1] > from.position[1] + PLAYER_STEP))
    const push = keys.sprint ? GROUND_PUSH * SPRINT : GROUND_PUSH
    const step = { x: player.vel.x + ahead.x * push, z: player.vel.z + ahead.z * push }
    keys.jump = takesOff && player.onGround && !this.grounded(player.pos.plus(new Vec3(step.x, 0, step.z)))
    return keys.sprint && player.onGround ? { x: want.x * SPRINT, z: want.z * SPRINT } : want
  }

  // Whether a player at this position would stand on something.
  grounded (pos) {
    const low = { x: pos.x - PLAYER_HALF, y: pos.y - GROUND_DEPTH, z: pos.z - PLAYER_HALF }
    const high = { x: pos.x + PLAYER_HALF, y: pos.y, z: pos.z + PLAYER_HALF }
    for (let x = Math.floor(low.x); x <= Math.floor(high.x); x++) {
      for (let z = Math.floor(low.z); z <= Math.floor(high.z); z++) {
        for (let y = Math.floor(low.y) - 1; y <= Math.floor(high.y); y++) { // fences reach up out of their cell
          const block = this.grid.getBlock({ x, y, z })
          const carries = s => x + s[0] < high.x && x + s[3] > low.x && z + s[2] < high.z && z + s[5] > low.z &&
            y + s[1] < high.y && y + s[4] > low.y
          if (block && block.shapes.some(carries)) return true
        }
      }
    }
    return false
  }

  // Up: against whatever holds the ladder, or by jump where the game has that. Down: by letting go.
  climb (to, keys, want) {
    const { player } = this
    if (to.position[1] < player.pos.y) return want
    keys.jump = true
    const [x, , z] = to.cell
    for (const [dx, dz] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const beside = this.grid.getBlock({ x: x + dx, y: Math.floor(player.pos.y), z: z + dz })
      if (beside && beside.boundingBox === 'block') return { x: dx * WALK_SPEED, z: dz * WALK_SPEED }
    }
    return want
  }
}

module.exports = { Walk }
