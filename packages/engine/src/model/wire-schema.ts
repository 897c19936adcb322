// A schema in the words that endpoints know which hold models to one: they take a part of JSON Schema, and refuse a question for the rest.

type Schema = Readonly<Record<string, unknown>>;

/** The same schema without boolean schemas and with the types of its constants; what it accepts stays the same where lists are bounded. */
export function toWireSchema(schema: Schema): Schema {
  return { ...(schema['type'] === undefined ? typeOfValues(schema) : {}), ...mapped(schema) };
}

function mapped(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, memberFor(key, value)]));
}

function memberFor(key: string, value: unknown): unknown {
  if (key === 'items') return value === false ? { type: 'null' } : isSchema(value) ? toWireSchema(value) : value;
  if (key === 'anyOf' && Array.isArray(value)) return value.map((each: unknown) => (isSchema(each) ? toWireSchema(each) : each));
  if (key === 'properties' && isSchema(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isSchema(each) ? toWireSchema(each) : each]));
  return value;
}

function typeOfValues({ enum: values, const: value }: Schema): Schema {
  const all: readonly unknown[] = Array.isArray(values) ? values : value === undefined ? [] : [value];
  return all.length > 0 && all.every((each) => typeof each === 'string') ? { type: 'string' } : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
