// DataView. (Being written.)

export {};
