import Foundation
import Testing

@testable import PaletteNode

/// The modules that a page needs first travel as one.
struct ScriptBundleTests {
  private static let files = [
    "/page.js": """
    import { make } from "./dom.js";
    import {
      say, tell,
    } from "./say-it.js";

    /** The page. */
    export class Page {
      open() { return import("./menu.js"); }
    }
    say(make());
    """,
    "/say-it.js": """
    import { make } from "./dom.js";
    const own = make;
    export function say(text) { return own(text); }
    export async function tell() {}
    """,
    "/dom.js": "export const make = () => 1;\n",
    "/menu.js": "import { make } from \"./dom.js\";\n",
  ]

  private let bundle = ScriptBundle("page.js") { path in files[path].map { Array($0.utf8) } }

  private func script(at file: String) -> String? {
    bundle.script(at: file).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func eachModuleHasAScopeAndRunsOnceBeforeThoseThatNeedIt() {
    #expect(
      script(at: "page.js") == """
        const $dom = (() => {
        const make = () => 1;
        return { make };
        })();
        const $say_it = (() => {
        const { make } = $dom;
        const own = make;
        function say(text) { return own(text); }
        async function tell() {}
        return { say, tell };
        })();
        const $page = (() => {
        const { make } = $dom;
        const {say, tell,} = $say_it;
        class Page {
        open() { return import("./menu.js"); }
        }
        say(make());
        return { Page };
        })();
        export const parts = { "dom.js": $dom, "say-it.js": $say_it, "page.js": $page };

        """
    )
  }

  @Test func whatComesLaterGetsTheSameModules() {
    #expect(
      script(at: "say-it.js") == """
        import { parts } from "./page.js";
        export const { say, tell } = parts["say-it.js"];

        """
    )
    #expect(script(at: "menu.js") == nil)
    #expect(script(at: "page.css") == nil)
  }
}
