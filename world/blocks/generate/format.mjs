// The committed files as text: encoder and decoder. What the lines mean is written at the head of each file.

const tableHead = `# Traits of every block state of the released Java versions, under 1.13 or newer names. Written by generate/, do not edit.
# Source: npm minecraft-data 3.119 (MIT) and the rules of generate/rules.mjs.
# version <name> <data version> <states in minecraft-data> <flat, or numeric: states are pairs of id and meta, named as in 1.13>
# trait <bottom> <top> <fluid> <hazard> <door> <stair> <words>        numbered from 0 in this order
# schema <property>=<value>|<value>;...                               numbered from 0; states count with the last property fastest
# block <name> <first version>..<last version> <schema> <default state> <properties that matter, by commas, or -> <traits>
#   traits: one number for each combination of the properties that matter, last fastest, or one for all
`;
const legacyHead = `# Numeric block ids of the versions before 1.13 as 1.13 states. Written by generate/, do not edit. Source: npm minecraft-data 3.119 (MIT).
# <id> <state of meta 0> <state of meta 1> ...   16 in all; properties that are left out are the default; state*n is n times the same
`;

const traitText = (t) => [t.bottom, t.top, t.fluid, t.hazard, t.door, t.stair,
  ['open', 'climbable', 'slow'].filter((w) => t[w]).join(',') || '-'].join('\t');
function traitFrom([bottom, top, fluid, hazard, door, stair, words]) {
  const has = (w) => words.split(',').includes(w);
  return {bottom: +bottom, top: +top, fluid, hazard, door, stair, open: has('open'), climbable: has('climbable'), slow: has('slow')};
}
const schemaText = (properties) => properties.map((p) => `${p.name}=${p.values.join('|')}`).join(';') || '-';
const schemaFrom = (text) => text === '-' ? [] : text.split(';').map((p) => {
  const [name, values] = p.split('=');
  return {name, values: values.split('|')};
});

const stridesOf = (properties) => {
  let stride = 1;
  return properties.toReversed().map((p) => { const s = stride; stride *= p.values.length; return s; }).reverse();
};

// Which properties the traits depend on: a property matters when changing it alone changes the traits of some state.
function project(properties, ids) {
  const strides = stridesOf(properties);
  const matters = properties.filter((p, k) => ids.some((id, i) => {
    const value = Math.floor(i / strides[k]) % p.values.length;
    return id !== ids[i - value * strides[k]];
  }));
  const projected = [];
  const walk = (k, index) => {
    if (k === properties.length) return void projected.push(ids[index]);
    const count = matters.includes(properties[k]) ? properties[k].values.length : 1;
    for (let v = 0; v < count; v++) walk(k + 1, index + v * strides[k]);
  };
  walk(0, 0);
  return {matters, projected};
}

function unproject(properties, matterNames, projected) {
  const strides = stridesOf(properties);
  const count = properties.reduce((n, p) => n * p.values.length, 1);
  return Array.from({length: count}, (_, i) => projected[properties.reduce((n, p, k) =>
    matterNames.includes(p.name) ? n * p.values.length + Math.floor(i / strides[k]) % p.values.length : n, 0)]);
}

function numbering() {
  const index = new Map();
  return {of(text) { if (!index.has(text)) index.set(text, index.size); return index.get(text); }, texts: () => [...index.keys()]};
}

// A block's line is written once for each run of versions in which it is the same.
export function encode(versions) {
  const traits = numbering(), schemas = numbering();
  const runs = new Map();  // name -> [{first, last, line}]
  versions.forEach(({version, blocks}, v) => {
    for (const b of blocks) {
      const {matters, projected} = project(b.properties, b.traits.map((t) => traits.of(traitText(t))));
      const line = [schemas.of(schemaText(b.properties)), b.defaultState, matters.map((p) => p.name).join(',') || '-', projected.join(' ')].join('\t');
      if (!runs.has(b.name)) runs.set(b.name, []);
      const last = runs.get(b.name).at(-1);
      if (last && last.line === line && last.index === v - 1) Object.assign(last, {last: version, index: v});
      else runs.get(b.name).push({first: version, last: version, index: v, line});
    }
  });
  const lines = [
    ...versions.map((v) => ['version', v.version, v.dataVersion, v.stateCount, v.numeric ? 'numeric' : 'flat'].join('\t')),
    ...traits.texts().map((t) => `trait\t${t}`),
    ...schemas.texts().map((s) => `schema\t${s}`),
    ...[...runs].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, list]) => list.map((r) => `block\t${name}\t${r.first}..${r.last}\t${r.line}`)),
  ];
  return tableHead + lines.join('\n') + '\n';
}

export function decode(text) {
  const versions = [], traits = [], schemas = [];
  for (const line of text.split('\n').filter((l) => l && !l.startsWith('#'))) {
    const [kind, ...f] = line.split('\t');
    if (kind === 'version') versions.push({version: f[0], blocks: new Map()});
    if (kind === 'trait') traits.push(traitFrom(f));
    if (kind === 'schema') schemas.push(schemaFrom(f[0]));
    if (kind !== 'block') continue;
    const [name, range, schema, defaultState, matters, numbers] = f;
    const [first, last] = range.split('..').map((v) => versions.findIndex((x) => x.version === v));
    const properties = schemas[+schema];
    const all = unproject(properties, matters.split(','), numbers.split(' ').map((n) => traits[+n]));
    for (let v = first; v <= last; v++) versions[v].blocks.set(name, {name, properties, defaultState: +defaultState, traits: all});
  }
  return versions;
}

function stateText({name, properties}, block, defaults) {
  const list = block.properties.filter((p) => properties[p.name] !== defaults[p.name]).map((p) => `${p.name}=${properties[p.name]}`);
  return name + (list.length ? `[${list.join(',')}]` : '');
}

const defaultsOf = (block) => {
  const strides = stridesOf(block.properties);
  return Object.fromEntries(block.properties.map((p, k) => [p.name, p.values[Math.floor(block.defaultState / strides[k]) % p.values.length]]));
};

export function encodeLegacyIds(ids, blocks) {
  const lines = [...ids].sort(([a], [b]) => a - b).map(([id, metas]) => {
    const texts = metas.map((s) => stateText(s, blocks.get(s.name), defaultsOf(blocks.get(s.name))));
    const runs = [];
    for (const t of texts) {
      if (runs.length && runs.at(-1).text === t) runs.at(-1).count++;
      else runs.push({text: t, count: 1});
    }
    return `${id}\t` + runs.map((r) => (r.count > 1 ? `${r.text}*${r.count}` : r.text)).join(' ');
  });
  return legacyHead + lines.join('\n') + '\n';
}

export function decodeLegacyIds(text, blocks) {
  const ids = new Map();
  for (const line of text.split('\n').filter((l) => l && !l.startsWith('#'))) {
    const [id, list] = line.split('\t');
    ids.set(+id, list.split(' ').flatMap((item) => {
      const [state, count = '1'] = item.split('*');
      const [, name, props] = state.match(/^([a-z0-9_]+)(?:\[(.*)\])?$/);
      const given = Object.fromEntries((props ?? '').split(',').filter(Boolean).map((p) => p.split('=')));
      return Array(+count).fill({name, properties: {...defaultsOf(blocks.get(name)), ...given}});
    }));
    if (ids.get(+id).length !== 16) throw new Error(`id ${id} has ${ids.get(+id).length} metas`);
  }
  return ids;
}
