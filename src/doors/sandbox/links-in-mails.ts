/** A full stop or bracket after a URL belongs to the sentence. */
export const LINK = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;

/** Without duplicates: a mail in two languages contains each link twice. */
export const linksIn = (text: string): string[] => [...new Set(text.match(LINK))];
