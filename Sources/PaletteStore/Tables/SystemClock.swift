internal import PalettePlatform

/// Milliseconds since 1970 by the clock of the machine.
public func systemMilliseconds() -> Int64 { Platform.milliseconds }
