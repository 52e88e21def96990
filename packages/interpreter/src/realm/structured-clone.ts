// structuredClone. (Being written.)

export {};
