// What the web client takes for the answers of the HTTP interface (static/api/interface.d.ts) is what openapi.json
// says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

interface Schema {
  type?: string;
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

const STATIC = join(import.meta.dirname, '../../static');
const { schemas } = JSON.parse(readFileSync(join(STATIC, 'openapi.json'), 'utf8')).components as {
  schemas: Record<string, Schema>;
};

/** `{ $ref: '#/components/schemas/Part' }` → `'Part'`, a number of any kind → `'number'` */
function typeOf({ $ref, type, items }: Schema): string {
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!;
    return schemas[name]!.type === 'object' ? name : typeOf(schemas[name]!);
  }
  if (type === 'array') return `${typeOf(items!)}[]`;
  return type === 'integer' ? 'number' : type!;
}

it('the web client reads fields that the schemas have, with their types, and as optional what may be missing', () => {
  const source = readFileSync(join(STATIC, 'api/interface.d.ts'), 'utf8');
  const interfaces = [...source.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)];
  assert.ok(interfaces.length > 10, 'the interfaces were found');
  const faults = interfaces.flatMap(([, name, body]) => {
    const { properties, required = [] } = schemas[name!] ?? {};
    if (!properties) return [`there is no schema ${name}`];
    return [...body!.matchAll(/^ {2}(\w+)(\??): (.*);$/gm)].flatMap(([, field, mark, type]) => {
      const schema = properties[field!];
      if (!schema) return [`${name} has no ${field}`];
      const promised = `${required.includes(field!) ? '' : '?'}: ${typeOf(schema)}`;
      return `${mark}: ${type}` === promised ? [] : [`${name}.${field}${promised}`];
    });
  });
  assert.deepEqual(faults, []);
});
