// Intl. (Being written.)

export {};
