// ArrayBuffer: a host buffer with guest prototype. (Being written.)

export {};
