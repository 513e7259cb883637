/** The items of a source, of which the next is made while the current one is used. */
export async function* oneAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const begin = () => {
    const next = source.next();
    // A failure is thrown where the item is awaited, which may be never.
    next.catch(() => {});
    return next;
  };
  let pending = begin();
  try {
    for (;;) {
      const { done, value } = await pending;
      if (done) return;
      pending = begin();
      yield value;
    }
  } finally {
    await pending.catch(() => {});
    await source.return();
  }
}
