// A reporter for node --test: a line for each test that has no tests inside it, `pass`, or `fail` with where and why as JSON.
// What fails outside of any test is one too: the hook of a suite, and what a test left behind that broke after its end.
const WHY_MAX = 600;

export default async function* counts(events) {
  for await (const { type, data } of events) {
    const suite = data.details?.type === 'suite';
    if (type === 'test:pass' && !suite && data.skip === undefined) yield 'pass\n';
    if (type === 'test:fail') {
      const { failureType, cause, message } = data.details.error;
      if (!suite || failureType !== 'subtestsFailed') yield failure(data, String(cause?.message ?? message));
    }
    if (type === 'test:diagnostic' && data.message.startsWith('Error: ')) yield failure(data, data.message);
  }
}

function failure({ name, file, line }, why) {
  return `fail ${JSON.stringify({ name, file, line, why: why.replaceAll(/\s+/g, ' ').slice(0, WHY_MAX) })}\n`;
}
