import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { relative } from 'node:path';
import { suite, test } from 'node:test';
import { toUrl } from './address.ts';
import { CommandError } from './exit.ts';

suite('an address as it is typed', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['example.com', 'https://example.com'],
    ['example.com/localhost', 'https://example.com/localhost'],
    ['localhost.example.com', 'https://localhost.example.com'],
    ['notlocalhost', 'https://notlocalhost'],
    ['127.example.com', 'https://127.example.com'],
    ['10.0.0.5:8080', 'https://10.0.0.5:8080'],
    ['localhost', 'http://localhost'],
    ['LOCALHOST:8371/a?b=https', 'http://LOCALHOST:8371/a?b=https'],
    ['app.localhost:3000#x', 'http://app.localhost:3000#x'],
    ['127.0.0.1:8371/', 'http://127.0.0.1:8371/'],
    ['127.1', 'http://127.1'],
    ['[::1]:8080/x', 'http://[::1]:8080/x'],
    [`${hostname()}:8371/x`, `http://${hostname()}:8371/x`],
    [`${hostname()}.local`, `http://${hostname()}.local`],
    ['0.0.0.0:3000', 'http://0.0.0.0:3000'],
    ['https://localhost/', 'https://localhost/'],
    ['http://example.com/', 'http://example.com/'],
  ];
  for (const [typed, url] of cases) test(`${typed} is ${url}`, () => assert.equal(toUrl(typed), url));

  const refused: readonly (readonly [string, RegExp])[] = [
    ['/etc/passwd', /is a file or a folder/],
    ['./page.html', /is a file or a folder/],
    ['../notes/', /is a file or a folder/],
    ['~/page.html', /is a file or a folder/],
    [relative(process.cwd(), import.meta.filename), /is a file or a folder/],
    ['mailto:ada@example.com', /is no address of a page; pages are read by http and https/],
    ['javascript:void(0)', /is no address of a page/],
  ];
  for (const [typed, says] of refused)
    test(`${typed} is refused`, () =>
      assert.throws(
        () => toUrl(typed),
        (error) => error instanceof CommandError && error.exitCode === 2 && says.test(error.message),
      ));
});
