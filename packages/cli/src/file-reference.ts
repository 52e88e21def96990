/**
 * Says whether a name on the command line is a path. Names of packages and tools never begin with a
 * dot or a slash.
 */
export const isFileReference = (given: string): boolean => /^\.{1,2}$|^\.{0,2}[\\/]|^[a-z]:[\\/]/i.test(given);
