// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {cheats} from "./Cheats.sol";
import {Asset, Launchpad} from "./DeployedCurve.sol";

/// @dev Trades that anybody may make, in any order, on a curve of 6 and one of 18 decimals. After each call it looks at
/// what must never happen, and keeps it for the invariants.
contract CurveHandler {
    uint256 public constant FEE_BPS = 97;
    uint256 public constant HOLDERS = 4;
    uint256 private constant NEVER = type(uint256).max;

    Launchpad public immutable launchpad;
    address[2] public tokens;
    Asset[2] public assets;
    address[HOLDERS] public holders;

    string public violation;
    /// @dev By asset: fees that trades should have cost so far, and money that nobody asked for.
    uint256[2] public feesDue;
    uint256[2] public donated;
    uint256[2] private _product;

    constructor(Launchpad launchpad_, address[2] memory tokens_, Asset[2] memory assets_) {
        (launchpad, tokens, assets) = (launchpad_, tokens_, assets_);
        for (uint256 i; i < HOLDERS; i++) holders[i] = cheats.addr(i + 100);
    }

    modifier watched() {
        _;
        for (uint256 i; i < 2; i++) {
            Launchpad.CurveView memory curve = launchpad.curveOf(tokens[i]);
            uint256 product = (curve.virtualReserve + curve.reserve) * curve.held;
            if (product < _product[i]) violation = "the product of the curve fell";
            _product[i] = product;
        }
    }

    function buy(uint256 which, uint256 who, uint256 amount) external watched {
        uint256 i = which % 2;
        amount = _amount(i, amount);
        (uint256 expected,) = launchpad.quoteBuy(tokens[i], amount);
        cheats.prank(holders[who % HOLDERS]);
        uint256 got = launchpad.buy(tokens[i], amount, 0, NEVER);
        if (got != expected) violation = "a purchase gave other than its quote";
        feesDue[i] += _feeOf(amount);
    }

    function buyWithCoin(uint256 who, uint256 amount) external watched {
        amount = _amount(1, amount);
        address holder = holders[who % HOLDERS];
        cheats.deal(holder, amount);
        cheats.prank(holder);
        launchpad.buyWithCoin{value: amount}(tokens[1], 0, NEVER);
        feesDue[1] += _feeOf(amount);
    }

    function sell(uint256 which, uint256 who, uint256 part) external watched {
        uint256 i = which % 2;
        (address holder, uint256 amount) = _owned(i, who, part);
        (uint256 expected, uint256 fee) = launchpad.quoteSell(tokens[i], amount);
        cheats.prank(holder);
        try launchpad.sell(tokens[i], amount, 0, NEVER) returns (uint256 out) {
            if (out != expected) violation = "a sale paid other than its quote";
            if (fee != _feeOf(out + fee)) violation = "a sale cost another fee";
            feesDue[i] += fee;
        } catch {
            violation = "a sale was blocked";
        }
    }

    function sellForCoin(uint256 who, uint256 part) external watched {
        (address holder, uint256 amount) = _owned(1, who, part);
        (, uint256 fee) = launchpad.quoteSell(tokens[1], amount);
        uint256 before = holder.balance;
        cheats.prank(holder);
        uint256 out = launchpad.sellForCoin(tokens[1], amount, 0, NEVER);
        if (holder.balance != before + out) violation = "a sale for coin paid other than it said";
        feesDue[1] += fee;
    }

    /// @dev Bought and sold at once: it must cost something.
    function turnAround(uint256 which, uint256 who, uint256 amount) external watched {
        uint256 i = which % 2;
        amount = _amount(i, amount);
        address holder = holders[who % HOLDERS];
        cheats.prank(holder);
        uint256 got = launchpad.buy(tokens[i], amount, 0, NEVER);
        (, uint256 fee) = launchpad.quoteSell(tokens[i], got);
        cheats.prank(holder);
        uint256 out = launchpad.sell(tokens[i], got, 0, NEVER);
        if (out >= amount) violation = "buying and selling was no loss";
        feesDue[i] += _feeOf(amount) + fee;
    }

    /// @dev Two purchases must not give more than one of the same money.
    function split(uint256 which, uint256 who, uint256 first, uint256 second) external watched {
        uint256 i = which % 2;
        (first, second) = (_amount(i, first), _amount(i, second));
        (uint256 atOnce,) = launchpad.quoteBuy(tokens[i], first + second);
        address holder = holders[who % HOLDERS];
        cheats.prank(holder);
        uint256 got = launchpad.buy(tokens[i], first, 0, NEVER);
        cheats.prank(holder);
        got += launchpad.buy(tokens[i], second, 0, NEVER);
        if (got > atOnce) violation = "two purchases gave more than one";
        feesDue[i] += _feeOf(first) + _feeOf(second);
    }

    function payFees(uint256 which) external watched {
        if (which % 5 == 0) launchpad.divideFees(tokens[which % 2]);
        else launchpad.payCreatorFees(tokens[which % 2]);
        if (which % 3 == 0) launchpad.payPlatformFees(address(assets[which % 2]));
    }

    function donate(uint256 which, uint256 amount) external watched {
        uint256 i = which % 2;
        amount = amount % 1_000;
        cheats.prank(holders[0]);
        assets[i].transfer(address(launchpad), amount);
        donated[i] += amount;
    }

    function _owned(uint256 i, uint256 who, uint256 part) private view returns (address holder, uint256 amount) {
        holder = holders[who % HOLDERS];
        uint256 owned = Asset(tokens[i]).balanceOf(holder);
        amount = part % 3 == 0 ? owned : part % (owned + 1);
    }

    /// @dev From one unit to a thousand coins, every size alike.
    function _amount(uint256 i, uint256 choice) private pure returns (uint256) {
        uint256 most = i == 0 ? 2 ** ((choice % 30) + 1) : 2 ** ((choice % 70) + 1);
        return (choice / 70) % most + 1;
    }

    function _feeOf(uint256 amount) private pure returns (uint256) {
        return (amount * FEE_BPS + 9_999) / 10_000;
    }
}
