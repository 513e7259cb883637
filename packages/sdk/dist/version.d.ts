/** The version of the package; a test compares it with package.json. */
export declare const VERSION = "0.5.0";
