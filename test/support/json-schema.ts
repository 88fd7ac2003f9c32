// A validator for the part of JSON Schema 2020-12 that static/openapi.json uses; a keyword that it does not know is an
// error, so that nothing goes unchecked. Stricter than the standard: a property that no schema names is an error too.

export interface Schema {
  readonly [keyword: string]: unknown;
}

type Resolve = (reference: string) => unknown;
type Check = (value: unknown, argument: never, at: string, resolve: Resolve, schema: Schema) => string[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
};

const unless = (holds: boolean, at: string, complaint: string) => (holds ? [] : [`${at} ${complaint}`]);

const KEYWORDS: Readonly<Record<string, Check>> = {
  description: () => [],
  examples: () => [],
  $ref: (value, reference: string, at, resolve) => violations(value, resolve(reference) as Schema, resolve, at),
  type: (value, type: string, at) => unless(TYPES[type]!(value), at, `is no ${type}: ${JSON.stringify(value)}`),
  const: (value, wanted: unknown, at) => unless(value === wanted, at, `is not ${JSON.stringify(wanted)}`),
  enum: (value, values: unknown[], at) => unless(values.includes(value), at, `is none of ${values.join(', ')}`),
  minimum: (value, low: number, at) => unless(typeof value !== 'number' || value >= low, at, `is below ${low}`),
  maximum: (value, high: number, at) => unless(typeof value !== 'number' || value <= high, at, `is above ${high}`),
  minLength: (value, low: number, at) => unless(typeof value !== 'string' || value.length >= low, at, 'is too short'),
  pattern: (value, text: string, at) =>
    unless(typeof value !== 'string' || new RegExp(text, 'u').test(value), at, `does not match ${text}`),
  minItems: (value, low: number, at) => unless(!Array.isArray(value) || value.length >= low, at, 'has too few items'),
  maxItems: (value, high: number, at) => unless(!Array.isArray(value) || value.length <= high, at, 'has too many'),
  items: (value, schema: Schema, at, resolve) =>
    Array.isArray(value) ? value.flatMap((item, i) => violations(item, schema, resolve, `${at}[${i}]`)) : [],
  required: (value, names: string[], at) =>
    isObject(value) ? names.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at} lacks ${name}`) : [],
  properties: (value, schemas: Record<string, Schema>, at, resolve, { additionalProperties = false }) => {
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([name, content]) => {
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : additionalProperties;
      return isObject(schema)
        ? violations(content, schema, resolve, `${at}.${name}`)
        : [`${at}.${name} is not described`];
    });
  },
  additionalProperties: () => [], // with `properties`
};

/** What of `value` is not as the schema says, each with its place; empty when all is well. */
export function violations(value: unknown, schema: Schema, resolve: Resolve, at = 'value'): string[] {
  return Object.entries(schema).flatMap(([keyword, argument]) => {
    const check = KEYWORDS[keyword];
    if (!check || (keyword === 'type' && !TYPES[argument as string])) throw new Error(`unknown in ${at}: ${keyword}`);
    return check(value, argument as never, at, resolve, schema);
  });
}
