// Improves a page that works without it: a sorted list, pictures that come late, and the next page of a list in place.
const list = document.querySelector('.items');
for (const picture of document.querySelectorAll('img[data-src]')) picture.src = picture.dataset.src;

if (list) {
  const sorter = document.createElement('button');
  sorter.textContent = 'Cheapest first';
  sorter.addEventListener('click', () => {
    const priceOf = (item) => Number.parseFloat(item.querySelector('.price').textContent);
    list.append(...[...list.children].sort((a, b) => priceOf(a) - priceOf(b)));
  });
  list.before(sorter);
}

document.querySelector('a.next')?.addEventListener('click', async (event) => {
  event.preventDefault();
  const answer = await fetch(event.target.href);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  list.append(...page.querySelectorAll('.item'));
  event.target.remove();
});
document.body.insertAdjacentHTML('beforeend', '<a class="top" href="#top">Back to the top</a>');
