/** A full stop or a bracket after an address belongs to the sentence. */
export const LINK = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;

/** Each of them once: a mail in two languages says the same twice. */
export const linksIn = (text: string): string[] => [...new Set(text.match(LINK))];
