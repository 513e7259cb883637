/** A full stop or a bracket after an address belongs to the sentence. */
export const LINK = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;

export const linksIn = (text: string): string[] => text.match(LINK) ?? [];
