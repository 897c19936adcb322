// What the two shops of scripts should answer, by json-server.
import type { ApiApp } from '../api-app.ts';
import { askJson } from '../api-app.ts';
import type { Facts } from '../api-app.ts';
import { REACT_ADMIN, REFINE } from './retail.ts';

const ALL = 10_000;

export const REACT_ADMIN_API: ApiApp = {
  software: REACT_ADMIN,
  goals: ({ origin }) => {
    const url = `${origin}/`;
    const wanted = ['reference', 'price', 'stock', 'width', 'height'];
    const keys = ['id', 'reference'];
    return [
      {
        kind: 'list',
        url,
        objective: 'list the products with reference, price, stock, width and height',
        wanted,
        keys,
        truth: () => rows(`${origin}/api/products?_limit=${ALL}`),
      },
      {
        kind: 'search',
        url,
        objective: 'search products by keyword, with reference and price',
        wanted: ['reference', 'price'],
        keys,
        truth: (word) => rows(`${origin}/api/products?q=${encodeURIComponent(word)}&_limit=${ALL}`),
      },
      {
        kind: 'detail',
        url,
        objective: 'get one product with reference, price, stock, width, height and description',
        wanted: [...wanted, 'description'],
        keys,
        truth: (id) => rows(`${origin}/api/products?id=${encodeURIComponent(id)}`),
      },
    ];
  },
};

export const REFINE_API: ApiApp = {
  software: REFINE,
  goals: ({ origin }) => {
    const url = `${origin}/customers`;
    const wanted = ['id', 'first_name', 'last_name', 'email', 'city'];
    const keys = ['id', 'email'];
    return [
      {
        kind: 'list',
        url,
        objective: 'list the customers with id, first name, last name, email and city',
        wanted,
        keys,
        truth: () => rows(`${origin}/api/customers?_limit=${ALL}`),
      },
      {
        kind: 'search',
        url,
        objective: 'search customers by name or city',
        wanted,
        keys,
        truth: (word) => rows(`${origin}/api/customers?q=${encodeURIComponent(word)}&_limit=${ALL}`),
      },
      {
        kind: 'detail',
        url,
        objective: 'get one customer by id with first name, last name, email, city and address',
        wanted: [...wanted, 'address'],
        keys,
        truth: (id) => rows(`${origin}/api/customers?id=${encodeURIComponent(id)}`),
      },
    ];
  },
};

/** Objects of texts, numbers and lists of these; lists and truth values are facts in words, and nothing is none. */
async function rows(url: string): Promise<readonly Facts[]> {
  const answer = (await askJson(url)) as readonly Readonly<Record<string, unknown>>[];
  return answer.map((each) =>
    Object.fromEntries(
      Object.entries(each).map(([name, value]) => [
        name,
        value === null || typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  );
}
