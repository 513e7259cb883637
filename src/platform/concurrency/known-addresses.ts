/** More than registrars have. */
const MAX_ADDRESSES = 10_000;

/**
 * The addresses from which a login has succeeded, as many as fit, and who logged in there last; the one that has not done
 * so for longest is dropped.
 */
export class KnownAddresses {
  readonly #users = new Map<string, string>();

  userOf(address: string): string | undefined {
    return this.#users.get(address);
  }

  noteLogin(address: string, user: string): void {
    this.#users.delete(address);
    this.#users.set(address, user);
    if (this.#users.size <= MAX_ADDRESSES) return;
    for (const [oldest] of this.#users) {
      this.#users.delete(oldest);
      return;
    }
  }
}
