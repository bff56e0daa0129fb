/// What every notation of CSS Color 4 reads as.
enum ColorParsingTable {
  /// A row is the text, an arrow, and the color as `css` prints it.
  static let valid = """
    red -> rgb(255, 0, 0)
    RebeccaPurple -> rgb(102, 51, 153)
    LIGHTGOLDENRODYELLOW -> rgb(250, 250, 210)
    lightslategrey -> rgb(119, 136, 153)
    transparent -> rgba(0, 0, 0, 0)
    TransParent -> rgba(0, 0, 0, 0)
    b\\6C ack -> rgb(0, 0, 0)
    si\\lver -> rgb(192, 192, 192)
    r\\67 b(1 2 3) -> rgb(1, 2, 3)
    #f06 -> rgb(255, 0, 102)
    #F068 -> rgba(255, 0, 102, 0.5333333333333333)
    #FFCc99 -> rgb(255, 204, 153)
    #01020300 -> rgba(1, 2, 3, 0)
    #010203ff -> rgb(1, 2, 3)
    #\\66\\66 f -> rgb(255, 255, 255)
    rgb(0, 51, 102) -> rgb(0, 51, 102)
    rgb(00,51,+102) -> rgb(0, 51, 102)
    rgb(-51, 306, 0) -> rgb(0, 255, 0)
    rgb(20%, 0%, 100%) -> rgb(51, 0, 255)
    rgb(-12%, 110%, 1400%) -> rgb(0, 255, 255)
    rgb(12.5%, 25%, 50%) -> color(srgb 0.125 0.25 0.5)
    rgb(1, 2, 3, 0.4) -> rgba(1, 2, 3, 0.4)
    rgba(1, 2, 3, 40%) -> rgba(1, 2, 3, 0.4)
    rgba(1, 2, 3) -> rgb(1, 2, 3)
    rgba(1, 2, 3, 37) -> rgb(1, 2, 3)
    rgba(1, 2, 3, -139) -> rgba(1, 2, 3, 0)
    rgb(.3, -1.4, -0.001e2) -> color(srgb 0.001176470588235294 0 0)
    rgb(1 2 3) -> rgb(1, 2, 3)
    rgb(1 2 3 / 60%) -> rgba(1, 2, 3, 0.6)
    rgb(1 2 3/1) -> rgb(1, 2, 3)
    rgb(20% 51 0) -> rgb(51, 51, 0)
    rgb(none 0 128) -> color(srgb none 0 0.5019607843137255)
    rgb(1 2 3 / none) -> color(srgb 0.00392156862745098 0.00784313725490196 0.011764705882352941 / none)
    rgb(0 127.5 0) -> color(srgb 0 0.5 0)
    rgb( /* R */ 1 /* G */ 2/**/3 ) /* end */ -> rgb(1, 2, 3)
    rgb(1/**/2/**/3) -> rgb(1, 2, 3)
    RGB(1,\t2,3) -> rgb(1, 2, 3)
    hsl(120, 75%, 50%) -> hsl(120 75% 50%)
    hsla(120, 75%, 50%, 0.2) -> hsl(120 75% 50% / 0.2)
    hsl(120 75% 50%) -> hsl(120 75% 50%)
    hsl(120 75 50 / 25%) -> hsl(120 75% 50% / 0.25)
    hsla(120/* comment */75%/* comment */50%/1.0) -> hsl(120 75% 50%)
    hsl(0.5turn 10% 20%) -> hsl(180 10% 20%)
    hsl(100grad 10% 20%) -> hsl(90 10% 20%)
    hsl(120DEG, 10%, 20%) -> hsl(120 10% 20%)
    hsl(3.141592653589793rad 10% 20%) -> hsl(180 10% 20%)
    hsl(780 10% 20%) -> hsl(60 10% 20%)
    hsl(-300 10% 20%) -> hsl(60 10% 20%)
    hsl(360 10% 20%) -> hsl(0 10% 20%)
    hsl(0 -10% 20%) -> hsl(0 0% 20%)
    hsl(0 110% 120%) -> hsl(0 110% 120%)
    hsl(none none none / none) -> hsl(none none none / none)
    hsb(210 50% 80%) -> hsb(210 50% 80%)
    HSB(210deg 50 80 / .5) -> hsb(210 50% 80% / 0.5)
    hsb(none 0% 100%) -> hsb(none 0% 100%)
    hwb(180 20% 30%) -> hwb(180 20% 30%)
    hwb(180 20 30 / 50%) -> hwb(180 20% 30% / 0.5)
    hwb(none 20% 30%) -> hwb(none 20% 30%)
    hwb(0 80% 80%) -> hwb(0 80% 80%)
    lab(50 20 -30 / 0.5) -> lab(50 20 -30 / 0.5)
    lab(50% 25% -25%) -> lab(50 31.25 -31.25)
    lab(400 0 10/50%) -> lab(100 0 10 / 0.5)
    lab(-40 -200 200) -> lab(0 -200 200)
    lab(none none none / none) -> lab(none none none / none)
    lab(+5.5e1 .5 -.5) -> lab(55 0.5 -0.5)
    lch(50% 50% 50) -> lch(50 75 50)
    lch(10 20 -700deg) -> lch(10 20 20)
    lch(20 -20 0) -> lch(20 0 0)
    lch(20 none none / none) -> lch(20 none none / none)
    oklab(42% 100% -50%) -> oklab(0.42 0.4 -0.2)
    oklab(4 -1.6 1.6) -> oklab(1 -1.6 1.6)
    OKLab(100% 0 0) -> oklab(1 0 0)
    oklch(0.7 0.1 30) -> oklch(0.7 0.1 30)
    oklch(70% 25% 0.25turn / 0.25) -> oklch(0.7 0.1 90 / 0.25)
    oklch(0.2 -0.2 400) -> oklch(0.2 0 40)
    oklch(1 0 none) -> oklch(1 0 none)
    color(srgb 1 0 0) -> rgb(255, 0, 0)
    color(srgb 0.5 -160 160) -> color(srgb 0.5 -160 160)
    color(srgb 20% 0 10/0.5) -> color(srgb 0.2 0 10 / 0.5)
    color(SRGB +.9 9e-1 0.09E+1) -> color(srgb 0.9 0.9 0.9)
    color(srgb-linear 10% 0.2 30%) -> color(srgb-linear 0.1 0.2 0.3)
    color(display-p3 1 0 0) -> color(display-p3 1 0 0)
    color(display-p3 none 1 .5 / none) -> color(display-p3 none 1 0.5 / none)
    color(a98-rgb 0 100% 50%) -> color(a98-rgb 0 1 0.5)
    color(prophoto-rgb 0 1 .5) -> color(prophoto-rgb 0 1 0.5)
    color(rec2020 0 1 .5 / 200%) -> color(rec2020 0 1 0.5)
    color(xyz 0 100% .5) -> color(xyz-d65 0 1 0.5)
    color(xyz-d65 0 1 .5 / -1) -> color(xyz-d65 0 1 0.5 / 0)
    color(xyz-d50 0 1 .5) -> color(xyz-d50 0 1 0.5)
    color(xyz 0.0000001 1e-9 123456789) -> color(xyz-d65 0.0000001 0.000000001 123456789)
    color(xyz 1e30 -0 -1e-30) -> color(xyz-d65 1e+30 0 -1e-30)
    """

  /// A row is the text, an arrow, and a piece of the message that refuses it.
  static let invalid = """
    -> no color
    /* only */ -> no color
    4 -> not a color
    auto -> not a CSS color name
    blac -> not a CSS color name
    blac\u{212A} -> not a CSS color name
    current-Color -> not a CSS color name
    red blue -> not expected after
    #ff0000 x -> not expected after
    # -> not a color
    #f -> hex
    #ff -> hex
    #fffff -> hex
    #fffffff -> hex
    #fffffffff -> hex
    #ffg -> hex
    #ff\u{E9} -> hex
    ff8800 -> write #ff8800
    123 -> write #123
    112233 -> write #112233
    DECADE -> write #decade
    rgb -> not a CSS color name
    rgb() -> 0 components
    rgb(1) -> 1 components
    rgb(1 2) -> 2 components
    rgb(1 2 3 4) -> 4 components
    rgb(1 2 3 4 5) -> not expected
    rgb(1,2,3,4,5) -> not expected
    rgb(1, 2, 3,) -> not expected
    rgb(,1, 2, 3) -> not expected
    rgb(1,,2,3) -> not expected
    rgb(1, 2 3) -> by commas
    rgb(1 2, 3) -> not expected
    rgb(1, 2, 3 / 0.5) -> by commas
    rgb(1 2 3, 0.5) -> not expected
    rgb(1 2 / 3) -> not expected
    rgb(1 2 3 /) -> not expected
    rgb(1 2 3 / 4 5) -> not expected
    rgb(1 2 3 / 4deg) -> alpha is an angle
    rgb(1 2 3 -> no end
    rgb(1 2 3 / 4 -> no end
    rgb(1 2 3)) -> not expected after
    rgb (1 2 3) -> not a CSS color name
    rgb(10%, 20, 30%) -> mixes
    rgb(none, 1, 2) -> none
    rgb(0deg 1 2) -> angle
    rgb(1. 2 3) -> not expected
    rgb(1px 2 3) -> no unit
    rgb(light 2 3) -> not expected
    rgb(1e400 0 0) -> too large
    hsl(1 2% 1e400%) -> too large
    lab(50 1.7e308% 0) -> too large
    lch(NaN 0 0) -> not a component
    lch(infinity 0 0) -> not a component
    hsl(0, 0, 0) -> percentages
    hsl(50%, 50%, 0%) -> not a hue
    hsl(50% 50% 0%) -> not a hue
    hsl(none, 50%, 50%) -> none
    hsb(1, 2%, 3%) -> no form with commas
    hwb(1, 2%, 3%) -> no form with commas
    hwba(1 2% 3%) -> not a color function
    lab(0% 0% 0deg) -> angle
    oklch(20% 10 10deg 10) -> 4 components
    color(srgb 0 0) -> 2 components
    color(srgb 0 0 0 0) -> 4 components
    color(srgb, 0, 0, 0) -> not expected
    color(srgb 0deg 0 0) -> angle
    color(display-p3) -> 0 components
    color(display-p3 / .5) -> not expected
    color() -> not a color space
    color(1 2 3) -> not a color space
    color(lab 20% 0 10) -> write lab(
    color(hsb 1 2 3) -> write hsb(
    color(acescg 0 0 0) -> use one of
    color(from red srgb r g b) -> relative
    rgb(from red r g b) -> relative
    calc(1) -> calc() is not supported
    rgb(calc(1) 2 3) -> calc() is not supported
    rgb(1 2 3 / max(0, 1)) -> max() is not supported
    var(--accent) -> var() is not supported
    rgb(var(--red) 2 3) -> var() is not supported
    color-mix(in srgb, red, blue) -> color-mix() is not supported
    light-dark(red, blue) -> light-dark() is not supported
    device-cmyk(0 0 0 0) -> device-cmyk() is not supported
    hsv(1 2% 3%) -> hsb
    cmyk(0, 0, 0, 0) -> not a color function
    currentcolor -> currentcolor
    CURRENTcolor -> currentcolor
    Canvas -> system color
    LinkText -> system color
    /* open -> comment
    red\\ -> not expected after
    """
}
