// Writes ../block_table.tsv and ../legacy_ids.tsv from minecraft-data; run by hand: `npm ci && npm run generate`. `-- --summary` also prints,
// for each version, which blocks have which traits. Each run decodes what it wrote and compares it with what it read, state by state.
import {writeFileSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {dataVersion, legacyIds, newestVersion, readVersion, stateProperties} from './read.mjs';
import {traitsOf} from './rules.mjs';
import {decode, encode, encodeLegacyIds, decodeLegacyIds} from './format.mjs';

const legacyVersions = ['1.8', '1.12.2'];
const flattenedVersions = ['1.13.2', '1.14.4', '1.16.5', '1.18.2', '1.20.4', '1.21.4', newestVersion()];
const tableFile = fileURLToPath(new URL('../block_table.tsv', import.meta.url));
const legacyFile = fileURLToPath(new URL('../legacy_ids.tsv', import.meta.url));

function fail(message) {
  throw new Error(message);
}

// A flattened version as the table holds it: {name, properties, defaultState, traits per state}.
function flattened(version) {
  return readVersion(version).map((b) => ({
    name: b.name, properties: b.properties, defaultState: b.defaultState,
    traits: b.extents.map((extent, i) => traitsOf(b.name, stateProperties(b.properties, i), extent)),
  }));
}

// "minecraft:oak_door[half=lower]" as {name, properties with the defaults filled in, index of the state}.
function parseState(text, blocks) {
  const [, name, list] = text.match(/^minecraft:([a-z0-9_]+)(?:\[(.*)\])?$/) ?? fail(`not a state: ${text}`);
  const block = blocks.get(name) ?? fail(`1.13 has no ${name}`);
  const given = Object.fromEntries((list ?? '').split(',').filter(Boolean).map((p) => p.split('=')));
  for (const key of Object.keys(given)) if (!block.properties.some((p) => p.name === key)) fail(`${text}: no property ${key}`);
  const properties = {...stateProperties(block.properties, block.defaultState), ...given};
  const index = block.properties.reduce((n, p) => {
    const i = p.values.indexOf(properties[p.name]);
    return i < 0 ? fail(`${text}: ${p.name}`) : n * p.values.length + i;
  }, 0);
  return {name, properties, index};
}

// id -> [state of meta 0..15]; a meta that legacy.json lacks is meta 0, or, where that is lacking too, the lowest one there is.
function numericIds(blocks) {
  const ids = new Map();
  for (const [key, text] of Object.entries(legacyIds())) {
    const [id, meta] = key.split(':').map(Number);
    if (!ids.has(id)) ids.set(id, Array(16).fill(null));
    ids.get(id)[meta] = parseState(text, blocks);
  }
  for (const metas of ids.values()) {
    const first = metas.find(Boolean);
    for (let m = 0; m < 16; m++) metas[m] ??= first;
  }
  return ids;
}

// A version with numeric ids under 1.13's names: 1.13's blocks that the version has, with the extents that its own table gives. States that
// no id reaches (waterlogged ones) keep 1.13's traits.
function underNewNames(version, newBlocks, ids) {
  const named = new Map();
  const known = legacyIds();
  for (const old of readVersion(version)) {
    const metas = ids.get(old.id) ?? fail(`${version}: no 1.13 name for id ${old.id}`);
    metas.forEach(({name, properties, index}, meta) => {
      if (!named.has(name)) named.set(name, {...newBlocks.get(name), traits: [...newBlocks.get(name).traits], seen: new Map()});
      if (!known[`${old.id}:${meta}`]) return;
      const traits = traitsOf(name, properties, old.extents[meta]);
      const block = named.get(name);
      const text = JSON.stringify(traits);
      if ((block.seen.get(index) ?? text) !== text) fail(`${version}: ${old.id}:${meta} and another id disagree on ${name}`);
      block.seen.set(index, text);
      block.traits[index] = traits;
    });
  }
  return [...named.values()].map(({seen, ...block}) => block);
}

function checkTable(versions, text) {
  const decoded = decode(text);
  for (const {version, blocks, stateCount, numeric} of versions) {
    const found = decoded.find((v) => v.version === version) ?? fail(`${version} is lost`);
    if (found.blocks.size !== blocks.length) fail(`${version}: ${found.blocks.size} blocks, not ${blocks.length}`);
    let states = 0;
    for (const b of blocks) {
      const d = found.blocks.get(b.name) ?? fail(`${version}: ${b.name} is lost`);
      if (JSON.stringify(d) !== JSON.stringify(b)) fail(`${version}: ${b.name} does not decode to what was read`);
      states += b.traits.length;
    }
    if (!numeric && states !== stateCount) fail(`${version}: ${states} states, not ${stateCount}`);
  }
}

function summary({version, blocks}) {
  const lines = new Map();
  for (const b of blocks) {
    const kinds = [...new Set(b.traits.map(shown))].join(' | ');
    lines.set(kinds, [...(lines.get(kinds) ?? []), b.name]);
  }
  console.log(`\n## ${version}`);
  for (const [kinds, names] of [...lines].sort()) console.log(`${kinds} :: ${names.length} :: ${names.join(' ')}`);
}

function shown(t) {
  const words = [t.top ? `${t.bottom}..${t.top}` : 'none'];
  for (const key of ['fluid', 'hazard', 'door']) if (t[key] !== 'none') words.push(t[key]);
  if (t.stair !== 'none') words.push(`stair-${t.stair}`);
  for (const key of ['open', 'climbable', 'slow']) if (t[key]) words.push(key);
  return words.join('+');
}

const first = flattened(flattenedVersions[0]);
const newBlocks = new Map(first.map((b) => [b.name, b]));
const ids = numericIds(newBlocks);
const versions = [
  ...legacyVersions.map((version) => ({
    version, numeric: true, dataVersion: dataVersion(version), stateCount: 16 * readVersion(version).length,
    blocks: underNewNames(version, newBlocks, ids),
  })),
  ...flattenedVersions.map((version) => {
    const blocks = flattened(version);
    return {version, numeric: false, dataVersion: dataVersion(version), stateCount: readVersion(version).reduce((n, b) => n + b.count, 0), blocks};
  }),
];

writeFileSync(tableFile, encode(versions));
writeFileSync(legacyFile, encodeLegacyIds(ids, newBlocks));
checkTable(versions, readFileSync(tableFile, 'utf8'));
const decodedIds = decodeLegacyIds(readFileSync(legacyFile, 'utf8'), newBlocks);
for (const [id, metas] of ids) {
  metas.forEach((s, meta) => {
    const d = decodedIds.get(id)[meta];
    if (d.name !== s.name || JSON.stringify(Object.entries(d.properties).sort()) !== JSON.stringify(Object.entries(s.properties).sort())) fail(`${id}:${meta} does not decode`);
  });
}
for (const v of versions) console.log(`${v.version}: data version ${v.dataVersion}, ${v.blocks.length} names, ${v.stateCount} ${v.numeric ? 'id and meta pairs' : 'states'}`);
for (const file of [tableFile, legacyFile]) console.log(`${file.split('/').at(-1)}: ${readFileSync(file).length} bytes`);
if (process.argv.includes('--summary')) versions.forEach(summary);
