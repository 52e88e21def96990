// %TypedArray% and its eleven kinds. (Being written.)

export {};
