// btoa and atob. (Being written.)

export {};
