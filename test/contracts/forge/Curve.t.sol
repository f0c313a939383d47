// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {cheats} from "./Cheats.sol";
import {CurveHandler} from "./CurveHandler.sol";
import {deploy} from "./Deployed.sol";
import {Asset, Launchpad, Registry} from "./DeployedCurve.sol";

/// @dev What holds for the curves after any trades, by anybody, in any order.
contract CurveInvariants {
    address private constant TREASURY = address(0x7eA5);
    address private constant CREATOR = address(0xC0FFEE);
    uint256 private constant SUPPLY = 1_000_000_000 ether;
    uint256 private constant WEALTH = 2 ** 80;

    Launchpad private launchpad;
    CurveHandler private handler;
    address[2] private tokens;
    Asset[2] private assets;

    function setUp() external {
        assets[0] = Asset(deploy("TEST_USDC", abi.encode("USD Coin", "USDC", uint8(6), address(this))));
        assets[1] = Asset(deploy("TEST_WRAPPED_COIN", ""));
        Registry registry = Registry(deploy("AGENT_REGISTRY", abi.encode(address(0))));
        Launchpad.Reserves memory reserves =
            Launchpad.Reserves(address(assets[0]), 5_000_000_000, address(assets[1]), 8 ether);
        launchpad = Launchpad(
            deploy("TOKEN_LAUNCHPAD", abi.encode(registry, reserves, Launchpad.Fees(97, 5_001, TREASURY)))
        );
        for (uint256 i; i < 2; i++) {
            cheats.prank(CREATOR);
            uint256 agent = registry.register("https://market.example");
            cheats.prank(CREATOR);
            tokens[i] = launchpad.launch(agent, address(assets[i]), "Agent", "AGENT");
        }
        handler = new CurveHandler(launchpad, tokens, assets);
        for (uint256 who; who < handler.HOLDERS(); who++) _enrich(handler.holders(who));
    }

    function _enrich(address holder) private {
        assets[0].mint(holder, WEALTH);
        cheats.deal(holder, WEALTH);
        cheats.prank(holder);
        assets[1].deposit{value: WEALTH}();
        for (uint256 i; i < 2; i++) {
            cheats.prank(holder);
            assets[i].approve(address(launchpad), type(uint256).max);
        }
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_curvesAreSolvent() external view {
        string memory violation = handler.violation();
        require(bytes(violation).length == 0, violation);
        for (uint256 i; i < 2; i++) {
            _checkMoney(i);
            _checkTokens(i);
        }
    }

    function _checkMoney(uint256 i) private view {
        Launchpad.CurveView memory curve = launchpad.curveOf(tokens[i]);
        uint256 divided = launchpad.platformFees(address(assets[i])) + launchpad.creatorFees(tokens[i]);
        require(
            assets[i].balanceOf(address(launchpad)) == curve.reserve + curve.fees + divided + handler.donated(i),
            "the launchpad holds other than reserve and fees"
        );
        uint256 paid = assets[i].balanceOf(TREASURY) + assets[i].balanceOf(CREATOR);
        require(curve.fees + divided + paid == handler.feesDue(i), "fees were lost or made up");
        (uint256 out, uint256 fee) = launchpad.quoteSell(tokens[i], SUPPLY - curve.held);
        require(out + fee <= curve.reserve, "the reserve does not cover all tokens");
    }

    function _checkTokens(uint256 i) private view {
        uint256 sum;
        for (uint256 who; who < handler.HOLDERS(); who++) sum += Asset(tokens[i]).balanceOf(handler.holders(who));
        uint256 held = launchpad.curveOf(tokens[i]).held;
        require(sum + held == SUPPLY, "tokens are nowhere");
        require(Asset(tokens[i]).balanceOf(address(launchpad)) == held, "the launchpad holds other tokens than the curve");
    }

    /// @dev At the end of each run everybody sells everything, and nobody is left out.
    function afterInvariant() external {
        for (uint256 i; i < 2; i++) {
            for (uint256 who; who < handler.HOLDERS(); who++) _sellAll(i, handler.holders(who));
            require(launchpad.curveOf(tokens[i]).held == SUPPLY, "tokens were not taken back");
        }
    }

    function _sellAll(uint256 i, address holder) private {
        uint256 owned = Asset(tokens[i]).balanceOf(holder);
        cheats.prank(holder);
        launchpad.sell(tokens[i], owned, 0, type(uint256).max);
    }
}
