/** Without the interface that the user or person came through. */
export const actorName = (actor: string): string => actor.slice(actor.indexOf(':') + 1);
