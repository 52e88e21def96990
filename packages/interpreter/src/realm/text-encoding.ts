// TextEncoder and TextDecoder. (Being written.)

export {};
