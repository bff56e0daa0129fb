import Testing

@testable import PaletteSimulation

struct PlaceholderTests { @Test func works() {} }
