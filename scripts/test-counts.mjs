// A reporter for node --test: `pass` or `fail` on a line for each test that has no tests inside it.
export default async function* counts(events) {
  for await (const { type, data } of events) {
    if (data.details?.type === 'suite') continue;
    if (type === 'test:pass' && data.skip === undefined) yield 'pass\n';
    if (type === 'test:fail') yield 'fail\n';
  }
}
