// Reads one version of minecraft-data as a list of blocks with, for every state in the game's own order, its collision extent in pixels.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const root = path.join(path.dirname(createRequire(import.meta.url).resolve('minecraft-data')), 'minecraft-data/data');
const json = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const paths = json('dataPaths.json').pc;
const protocols = json('pc/common/protocolVersions.json');

export const newestVersion = () => Object.keys(paths).filter((v) => json('pc/common/versions.json').includes(v)).at(-1);
export const legacyIds = () => json('pc/common/legacy.json').blocks;

export function dataVersion(version) {
  const found = protocols.find((p) => p.minecraftVersion === version);
  if (!found) throw new Error(`minecraft-data names no data version of ${version}`);
  return found.dataVersion;
}

// Several boxes: lowest bottom, highest top. A tolerance keeps 0.1875 stored as 0.18750001 from growing by a pixel.
const tolerance = 1e-4;
export function extentOf(boxes) {
  const solid = boxes.filter((b) => b[4] > b[1]);
  if (solid.length === 0) return {bottom: 0, top: 0};
  return {
    bottom: Math.floor(16 * Math.min(...solid.map((b) => b[1])) + tolerance),
    top: Math.ceil(16 * Math.max(...solid.map((b) => b[4])) - tolerance),
  };
}

function propertyOf(state) {
  if (state.type === 'bool') return {name: state.name, values: ['true', 'false']};
  if (state.values) {
    if (state.values.length !== state.num_values) throw new Error(`${state.name}: ${state.values} is not ${state.num_values} values`);
    return {name: state.name, values: state.values.map(String)};
  }
  if (state.type !== 'int') throw new Error(`${state.name}: no values`);
  return {name: state.name, values: Array.from({length: state.num_values}, (_, i) => String(i))};
}

function shapesOf(shapes, name, count) {
  const index = shapes.blocks[name];
  if (index === undefined) throw new Error(`${name} has no collision shape`);
  const list = Array.isArray(index) ? index : Array(count).fill(index);
  if (list.length !== count) throw new Error(`${name}: ${list.length} shapes for ${count} states`);
  return list.map((i) => extentOf(shapes.shapes[i]));
}

// [{name, id, properties: [{name, values}], defaultState, extents: [{bottom, top}]}]; before 1.13 a block has 16 states, its metas.
export function readVersion(version) {
  const blocks = json(`${paths[version].blocks}/blocks.json`);
  const shapes = json(`${paths[version].blockCollisionShapes}/blockCollisionShapes.json`);
  return blocks.map((b) => {
    const flattened = b.minStateId !== undefined;
    const count = flattened ? b.maxStateId - b.minStateId + 1 : 16;
    const properties = flattened ? b.states.map(propertyOf) : [];
    if (flattened && properties.reduce((n, p) => n * p.values.length, 1) !== count) throw new Error(`${b.name}: properties do not make ${count} states`);
    return {
      name: b.name, id: b.id, properties, count, boundingBox: b.boundingBox,
      defaultState: flattened ? b.defaultState - b.minStateId : 0,
      extents: shapesOf(shapes, b.name, count),
    };
  });
}

// The properties of state number `index`: the last property changes fastest.
export function stateProperties(properties, index) {
  const values = {};
  for (const p of properties.toReversed()) {
    values[p.name] = p.values[index % p.values.length];
    index = Math.floor(index / p.values.length);
  }
  return values;
}
