// The engine's outside: network, browser, workers. Programs wire these to the ports.
export {};
