/** Prefetches the next item while the current one is processed, so that producer and consumer run in parallel. */
export async function* prefetched<Item>(
  items: AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  let next = items.next();
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = items.next();
      yield item.value;
    }
  } finally {
    // Awaits the pending item; its result does not matter any more.
    await next.catch(() => undefined);
    await items.return();
  }
}
