/** Asks for the next one while this one is worked on, so that who makes them and who takes them work side by side. */
export async function* oneAhead<Item>(
  items: AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  let next = items.next();
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = items.next();
      yield item.value;
    }
  } finally {
    // What is under way is waited for; how it ends is nobody's business any more.
    await next.catch(() => undefined);
    await items.return();
  }
}
