/** A name and an address, as they stand in the From of a mail. */
export type Mailbox = { readonly name: string; readonly address: string };

// Neither can end a header line, nor begin a second address or a comment.
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}]{1,255}$/u;
const NAMED = /^([^<>@()[\]\\,;:"\p{C}]{1,200}) <([^<>]+)>$/u;

/** Whether a text is exactly one address, which a server can be told as it is. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** Reads `registry@example.ee` or `Registry <registry@example.ee>`. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = '', address = text] = NAMED.exec(text) ?? [];
  return isAddress(address) ? { name: name.trim(), address } : undefined;
}
