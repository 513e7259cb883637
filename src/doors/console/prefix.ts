/** Every page of the console is below it. */
export const CONSOLE_PREFIX = '/console';
