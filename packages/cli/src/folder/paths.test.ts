import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { pathsOf } from './paths.ts';

const one = (path: string) => pathsOf([`https://x.test${path}`], 'md').get(`https://x.test${path}`);

suite('where a page goes in a folder', () => {
  const cases: readonly (readonly [path: string, file: string])[] = [
    ['/', 'index.md'],
    ['/a', 'a.md'],
    ['/a/', 'a/index.md'],
    ['/a/b.html', 'a/b.md'],
    ['/a.php?x=1&y=2', 'a@x=1&y=2.md'],
    ['/a.pdf', 'a.pdf.md'],
    ['//a///b', 'a/b.md'],
    ['/.html', '_html.md'],
    ['/.git/config', '_git/config.md'],
    ['/-rf', '_rf.md'],
    ['/a%2f..%2f..%2fetc/passwd', 'a_.._.._etc/passwd.md'],
    ['/%2e%2e%2fx', '_._x.md'],
    ['/con.html', '_con.md'],
    ['/aux.x/NUL', '_aux.x/_NUL.md'],
    ['/a:b%3Fc%2Ad%7Ce%22f%3Cg%3E', 'a_b_c_d_e_f_g_.md'],
    ['/ends.%20/x', 'ends__/x.md'],
    ['/caf%C3%A9/%E4%B8%AD', 'café/中.md'],
    ['/bad%FF', 'bad%FF.md'],
    ['/a%00b%E2%80%AEc', 'a_b_c.md'],
  ];
  for (const [path, file] of cases) test(`${path} is ${file}`, () => assert.equal(one(path), file));

  test('names that a system takes for the same are told apart, files and folders among them', () => {
    const urls = ['/A', '/a', '/a.html', '/b.md/x', '/b', '/Cafe%CC%81', '/caf%C3%A9'].map((path) => `https://x.test${path}`);
    assert.deepEqual([...pathsOf(urls, 'md').values()], ['A.md', 'a~2.md', 'a~3.md', 'b.md/x.md', 'b~2.md', 'Café.md', 'café~2.md']);
    const [file, below] = pathsOf(['https://x.test/b', 'https://x.test/b.md/x'], 'md').values();
    assert.deepEqual([file, below], ['b.md', 'b.md~2/x.md']);
  });

  test('pages of several hosts have a folder each', () =>
    assert.deepEqual([...pathsOf(['https://x.test/a', 'http://y.test:81/a'], 'txt').values()], ['x.test/a.txt', 'y.test_81/a.txt']));

  test('long names and deep paths are cut, and stay apart', () => {
    const long = `https://x.test/${'é'.repeat(300)}`;
    const [first = '', second = ''] = pathsOf([long, `${long}x`], 'md').values();
    assert.ok(Buffer.byteLength(first) <= 103 && first !== second);
    assert.match(
      pathsOf([`https://x.test/${'deep/'.repeat(80)}`], 'md')
        .values()
        .next().value ?? '',
      /^long\/[0-9a-f]{12}\.md$/,
    );
  });

  test('whatever the address, the file is inside and all are different', () => {
    const urls = fc.uniqueArray(
      fc.tuple(fc.webPath(), fc.string()).map(([path, query]) => new URL(`https://x.test/${path}?${query}`).href),
    );
    fc.assert(
      fc.property(urls, (addresses) => {
        const files = [...pathsOf(addresses, 'md').values()];
        assert.equal(new Set(files.map((file) => file.normalize('NFC').toLowerCase())).size, addresses.length);
        for (const name of files.flatMap((file) => file.split('/'))) assert.match(name, /^[^.<>:"\\|?*][^<>:"\\|?*]*$/);
      }),
    );
  });
});
