// The traits of a block state by its (1.13 or newer) name, its properties and the extent that minecraft-data gives: what the data lacks, and
// the extents that MOVEMENT.md, section 2, fixes whatever the data says.

const climbables = new Set(['ladder', 'vine', 'scaffolding', 'weeping_vines', 'weeping_vines_plant', 'twisting_vines', 'twisting_vines_plant',
  'cave_vines', 'cave_vines_plant']);
const alwaysWater = new Set(['water', 'bubble_column', 'kelp', 'kelp_plant', 'seagrass', 'tall_seagrass']);
const slow = new Set(['soul_sand', 'honey_block', 'cobweb']);
const hazards = {
  fire: 'fire', soul_fire: 'fire', cactus: 'cactus', sweet_berry_bush: 'berry_bush', wither_rose: 'wither_rose', powder_snow: 'powder_snow',
  lava: 'lava', magma_block: 'magma',
};

export const isTrapdoor = (name) => name.endsWith('_trapdoor');
export const isDoor = (name) => name.endsWith('_door');
export const isGate = (name) => name.endsWith('_fence_gate');
export const isStairs = (name) => name.endsWith('_stairs');

const none = {bottom: 0, top: 0};
const between = (bottom, top) => ({bottom, top});
const withoutExtent = (name) => climbables.has(name) ||
  /(^|_)(torch|sign|pressure_plate|rail)$/.test(name) ||
  ['water', 'lava', 'bubble_column', 'fire', 'soul_fire', 'cobweb', 'powder_snow', 'sweet_berry_bush', 'wither_rose'].includes(name);

// The extent that the contract fixes, or undefined where the version's own table decides.
function fixedExtent(name, p) {
  if (withoutExtent(name)) return none;
  if (isDoor(name)) return p.open === 'true' ? none : between(0, 16);
  if (isGate(name)) return p.open === 'true' ? none : between(0, 24);
  if (isTrapdoor(name)) {
    if (p.open === 'true') return none;
    return p.half === 'top' ? between(13, 16) : between(0, 3);
  }
  if (name.endsWith('_slab')) return {bottom: between(0, 8), top: between(8, 16), double: between(0, 16)}[p.type];
  if (name.endsWith('_fence') || name.endsWith('_wall')) return between(0, 24);
  if (isStairs(name) || name.endsWith('_pane') || name.endsWith('_bars')) return between(0, 16);
  if (name.endsWith('_bed')) return between(0, 9);
  if (name === 'snow') return p.layers === '1' ? none : between(0, 2 * (Number(p.layers) - 1));
  // The upper half of pale moss is a curtain and no carpet.
  if (name.endsWith('carpet') && p.bottom !== 'false') return between(0, 1);
  if (name === 'chest' || name.endsWith('_chest')) return between(0, 14);
  switch (name) {
    case 'farmland': case 'grass_path': case 'dirt_path': case 'honey_block': case 'cactus': return between(0, 15);
    case 'soul_sand': case 'mud': return between(0, 14);
    case 'campfire': case 'soul_campfire': return between(0, 7);
    case 'lily_pad': return between(0, 2);
    default: return undefined;
  }
}

// A trait reaches from 0 to 24 px; a piston's arm and a pitcher crop reach below their cell in the data.
const clamped = ({bottom, top}) => ({bottom: Math.max(0, bottom), top: Math.min(24, top)});

function hazardOf(name, p) {
  if (name === 'campfire' || name === 'soul_campfire') return p.lit === 'true' ? 'campfire' : 'none';
  return hazards[name] ?? 'none';
}

function fluidOf(name, p) {
  if (name === 'lava') return 'lava';
  return alwaysWater.has(name) || p.waterlogged === 'true' ? 'water' : 'none';
}

function doorOf(name) {
  if (isGate(name)) return 'gate';
  if (!isDoor(name)) return 'none';
  return name === 'iron_door' ? 'iron' : 'wooden';
}

export function traitsOf(name, properties, tableExtent) {
  const door = doorOf(name);
  return {
    ...(fixedExtent(name, properties) ?? clamped(tableExtent)),
    fluid: fluidOf(name, properties),
    hazard: hazardOf(name, properties),
    door,
    stair: isStairs(name) && properties.half === 'bottom' ? properties.facing : 'none',
    open: door !== 'none' && properties.open === 'true',
    climbable: climbables.has(name),
    slow: slow.has(name),
  };
}
