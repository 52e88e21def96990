// URL and URLSearchParams. (Being written.)

export {};
