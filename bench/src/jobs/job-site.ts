// What three of the jobs are done on: a shop with its list of products, notes of which some change over night, and papers as PDF.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The site while it answers. */
export interface JobSite extends AsyncDisposable {
  readonly origin: string;
  /** From now on it is the next day: of the notes one is new, one gone, and three say something else. */
  wakeUp(): void;
}

export const PRODUCTS = 200;
export const PAPERS = 12;
/** Notes that are new, gone or changed on the second day. */
export const CHANGES = 5;
const PER_PAGE = 20;
const NOTES = 30;
const DAY = 86_400_000;

const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** Starts it on a free port of 127.0.0.1. */
export async function startJobSite(): Promise<JobSite> {
  let day = 0;
  const server = createServer((request, response) => {
    const answer = answerOf(new URL(request.url ?? '/', 'http://site'), day);
    if (!answer) return void response.writeHead(404).end();
    const type = typeof answer === 'string' ? 'text/html; charset=utf-8' : 'application/pdf';
    response.writeHead(200, { 'content-type': type, 'last-modified': modifiedOf(request.url ?? '', day) }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wakeUp: () => void (day = 1),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function answerOf({ pathname, searchParams }: URL, day: number): string | Buffer | undefined {
  const [, room = '', name = ''] = pathname.split('/');
  if (room === 'shop') return shopPage(Number(searchParams.get('page') ?? 1));
  if (room === 'notes') return name === '' ? notesIndex(day) : note(Number(name.replace('.html', '')), day);
  if (room !== 'papers') return undefined;
  if (name === '')
    return html(
      'Papers',
      listOf(PAPERS, (number) => `<a href="/papers/${number}.pdf">Paper ${number}</a>`),
    );
  return pdfOf(`Paper ${name.replace('.pdf', '')} tells how tea is grown, dried and poured.`);
}

function shopPage(page: number): string {
  const items = listOf(PER_PAGE, (index) => {
    const number = (page - 1) * PER_PAGE + index;
    return `<a href="/product/${number}"><h3>Tea number ${number}</h3></a><p class="price">$${number}.50</p>`;
  });
  const next = page * PER_PAGE < PRODUCTS ? `<nav><a rel="next" href="/shop/?page=${page + 1}">Next</a></nav>` : '';
  return html('Teas', `${items.replaceAll('<li>', '<li class="product">')}${next}`);
}

/** The last note is new, the first is gone. */
function isThere(number: number, day: number): boolean {
  return Number.isInteger(number) && (day === 0 ? number >= 1 && number <= NOTES : number >= 2 && number <= NOTES + 1);
}

function notesIndex(day: number): string {
  return html(
    'Notes',
    listOf(NOTES + 1, (number) => (isThere(number, day) ? `<a href="/notes/${number}.html">Note ${number}</a>` : '')),
  );
}

function note(number: number, day: number): string | undefined {
  if (!isThere(number, day)) return undefined;
  const said = isEdited(number, day) ? 'was closed for repairs' : 'was open all day';
  return html(
    `Note ${number}`,
    `<p>On day ${number} the house ${said}, and ${number * 7} guests came for tea and stayed for the talk.</p>`,
  );
}

function isEdited(number: number, day: number): boolean {
  return day === 1 && number >= 10 && number < 10 + CHANGES - 2;
}

function modifiedOf(path: string, day: number): string {
  const number = Number(/^\/notes\/(\d+)/.exec(path)?.[1] ?? 0);
  const isNew = path === '/notes/' || number > NOTES || isEdited(number, 1);
  return new Date(Date.UTC(2026, 0, 1) + (isNew ? day * DAY : 0)).toUTCString();
}

function listOf(count: number, item: (number: number) => string): string {
  return `<ul>${Array.from({ length: count }, (_, index) => `<li>${item(index + 1)}</li>`).join('\n')}</ul>`;
}

/** The smallest PDF that shows `text` on one page (ISO 32000-1, 7.5). */
function pdfOf(text: string): Buffer {
  const drawing = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n`;
  return Buffer.from(`${file}${end}startxref\n${file.length}\n%%EOF\n`, 'latin1');
}
