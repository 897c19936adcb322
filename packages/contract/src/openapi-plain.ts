// JSON Schema as generators of clients take it: what they stumble over is said in the other way that means the same.

type Json = Record<string, unknown>;

/** Members whose value is a schema, a list of schemas, and schemas by name. */
const ONE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'] as const;
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const NAMED = ['properties', 'patternProperties', '$defs'] as const;

/**
 * `schema` without what oapi-codegen, openapi-generator and openapi-python-client stumble over: several types in one list become
 * alternatives, a member that may not be there is said to be required nowhere, and a rule that every name meets is left out.
 */
export function plainSchema(schema: Json): Json {
  const plain: Json = { ...schema };
  for (const name of ONE) if (isObject(plain[name])) plain[name] = plainSchema(plain[name]);
  for (const name of MANY)
    if (Array.isArray(plain[name])) plain[name] = plain[name].map((one: unknown) => (isObject(one) ? plainSchema(one) : one));
  for (const name of NAMED)
    if (isObject(plain[name])) plain[name] = mapMembers(plain[name], (member) => (isObject(member) ? plainSchema(member) : member));
  if (JSON.stringify(plain['propertyNames']) === '{"type":"string"}') delete plain['propertyNames'];
  return withoutTypeList(withoutForbidden(withoutRuleTypes(plain)));
}

/** A union of objects that stands in itself, `name`, as one object: generators make no type of one that is only alternatives of itself. */
export function plainComponent(name: string, schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || !JSON.stringify(anyOf).includes(`/schemas/${name}"`) || !anyOf.every(isStrictObject)) return schema;
  const names = anyOf.flatMap(({ properties }) => Object.keys(properties));
  if (new Set(names).size < names.length || anyOf.some(({ required }) => required.length !== 1)) return schema;
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...anyOf.map(({ properties }) => properties)) as Json,
    additionalProperties: false,
    oneOf: anyOf.map(({ required }) => withNames({ required })),
    dependentRequired: Object.fromEntries(
      anyOf.flatMap(({ properties, required }) =>
        Object.keys(properties).flatMap((one) => (required.includes(one) ? [] : [[one, required]])),
      ),
    ),
  };
}

/** Components in which each alternative that is an object has a name of its own: `Trigger` of `{"type": "value", ...}` has `TriggerValue`. */
export function nameAlternatives(components: Json): Json {
  const named: Json = {};
  for (const [name, schema] of Object.entries(components)) {
    const key = ['oneOf', 'anyOf'].find((one) => isObject(schema) && Array.isArray(schema[one]));
    if (!isObject(schema) || key === undefined || schema['type'] !== undefined) {
      named[name] = schema;
      continue;
    }
    const alternatives = (schema[key] as readonly unknown[]).map((one) => {
      const own = isObject(one) && one['type'] === 'object' && isObject(one['properties']) ? `${name}${wordOf(one)}` : name;
      if (own === name || own in components || own in named) return one;
      named[own] = one;
      return { $ref: `#/components/schemas/${own}` };
    });
    named[name] = { ...schema, [key]: alternatives };
  }
  return named;
}

/** What tells an alternative from the others: its constant type, else what it requires first. */
function wordOf({ properties, required }: Json): string {
  const { type } = properties as { readonly type?: Json };
  const word = typeof type?.['const'] === 'string' ? type['const'] : String((required as readonly string[] | undefined)?.[0] ?? '');
  return word.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

interface StrictObject {
  readonly properties: Json;
  readonly required: readonly string[];
}

function isStrictObject(schema: unknown): schema is StrictObject {
  return (
    isObject(schema) && isObject(schema['properties']) && Array.isArray(schema['required']) && schema['additionalProperties'] === false
  );
}

function withoutTypeList({ type, ...rest }: Json): Json {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  return { ...rest, anyOf: type.map((one: unknown) => ({ type: one })) };
}

/** Rules that are no types, as `if` them, else nothing: generators make types of `allOf` that are called alike. */
function withoutRuleTypes({ allOf, ...rest }: Json): Json {
  if (allOf === undefined) return rest;
  return Array.isArray(allOf) && allOf.every(isRule)
    ? { ...rest, if: { allOf: allOf.map(withNames) }, else: { not: {} } }
    : { ...rest, allOf };
}

/** A rule, with each member that it requires named beside it: linters take one that is not for a slip. */
function withNames(rule: Json): Json {
  const required = (rule['required'] ?? []) as readonly string[];
  const properties = { ...Object.fromEntries(required.map((name) => [name, {}])), ...(rule['properties'] as Json | undefined) };
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((name) =>
    Array.isArray(rule[name]) ? [[name, rule[name].map(withNames)] as const] : [],
  );
  return {
    ...rule,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(isObject(rule['not']) ? { not: withNames(rule['not']) } : {}),
    ...Object.fromEntries(parts),
  };
}

const RULES = new Set(['required', 'not', 'anyOf', 'oneOf', 'allOf', 'properties', 'const']);

function isRule(schema: unknown): boolean {
  if (!isObject(schema) || Object.keys(schema).some((name) => !RULES.has(name))) return false;
  const parts = [
    schema['not'],
    ...Object.values(schema['properties'] ?? {}),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => schema[name] ?? []),
  ];
  return parts.every((part) => part === undefined || isRule(part));
}

/** `{"properties": {"a": false}}` as `{"not": {"required": ["a"]}}`. */
function withoutForbidden(schema: Json): Json {
  const { properties, ...rest } = schema;
  if (!isObject(properties)) return schema;
  const forbidden = Object.keys(properties).filter((name) => properties[name] === false);
  if (forbidden.length === 0) return schema;
  const left = Object.fromEntries(Object.entries(properties).filter(([name]) => !forbidden.includes(name)));
  const rules = forbidden.map((name) => ({ required: [name] }));
  return {
    ...rest,
    ...(Object.keys(left).length === 0 ? {} : { properties: left }),
    not: rules.length === 1 ? rules[0] : { anyOf: rules },
  };
}

function mapMembers(members: Json, change: (member: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
