// The limit that the agent is measured against: node:http alone, doing the same token lookup and answering the same size.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

const [port = '0', token = ''] = process.argv.slice(2);
const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE api_key (token_hash BLOB PRIMARY KEY, id TEXT) STRICT');
database.prepare('INSERT INTO api_key VALUES (?, ?)').run(createHash('sha256').update(token).digest(), 'runtime');
const find = database.prepare('SELECT id FROM api_key WHERE token_hash = ?');
const body = JSON.stringify({ name: 'bare', version: '0', padding: 'x'.repeat(220) });

createServer((request, response) => {
  const given = (request.headers.authorization ?? '').slice('Bearer '.length);
  const known = find.get(createHash('sha256').update(given).digest());
  response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' }).end(body);
}).listen(Number(port), '127.0.0.1');
